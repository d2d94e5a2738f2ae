import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { insertAttributions, linksWithCodes } from "./attribution.queries.ts";
import { clickOf } from "./redirect.model.ts";

const DAY_MS = 86_400_000;

/** A link of the partner's that a click proves. */
export type ClickedLink = { link_id: string; click_id: string; clicked_at: Date };

/**
 * The links that some clicks were made on, by what the visitors carried. A click counts for the partner of its link alone, as long as the
 * window of the link says, and whatever became of the link since. For anything else there is none.
 */
export async function clickedLinks(
  ctx: Context,
  tx: Tx,
  tokens: readonly (string | null | undefined)[],
): Promise<Map<string, ClickedLink>> {
  const clicks = [...new Set(tokens)].flatMap((token) => {
    const click = token == null ? null : clickOf(ctx.signer, token);
    return token == null || click === null ? [] : [{ token, click }];
  });
  if (clicks.length === 0) return new Map();
  const links = await linksWithCodes(
    tx,
    ctx.scope,
    clicks.map(({ click }) => click.code_key),
  );
  return new Map(
    clicks.flatMap(({ token, click: { id, code_key, clicked_at } }) => {
      const link = links.get(code_key);
      if (link === undefined || tx.now.getTime() - clicked_at.getTime() > link.window_days * DAY_MS) return [];
      return [[token, { link_id: link.id, click_id: id, clicked_at }]];
    }),
  );
}

/** The same for one click. */
export async function clickedLink(ctx: Context, tx: Tx, token: string | null | undefined): Promise<ClickedLink | null> {
  return token == null ? null : ((await clickedLinks(ctx, tx, [token])).get(token) ?? null);
}

/** Attributes a lead or a deal to a link. Of several clicks the last one counts: false where a later one is known. */
export async function attribute(
  ctx: Context,
  tx: Tx,
  kind: "lead" | "deal",
  record_id: string,
  clicked: ClickedLink,
): Promise<boolean> {
  return (await insertAttributions(tx, ctx.scope, kind, [{ record_id, ...clicked }])) > 0;
}

export { copyAttribution, insertAttributions } from "./attribution.queries.ts";
