import { fail } from "../../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { accountForChange } from "../../../accounts/custom-fields/index.ts";
import { attribute, clickedLink } from "../../../money/links/index.ts";
import { changeDeal, createDeal } from "../commands.ts";
import { checkSale, type Deal, refuseField } from "../model.ts";
import { dealsForUpdate } from "../queries.ts";
import type { SaleCreate } from "../schema.ts";
import { registerPlain } from "./commands.ts";

const OF_STAGE = ["pipeline_id", "stage_id", "stage", "lost_reason"] as const satisfies (keyof SaleCreate)[];

/** Registers a sale: a new deal, or a plain one of the house account with the fields that it lacks. */
export function registerSale(ctx: Context, { deal_id, ...fields }: SaleCreate): Promise<Deal> {
  if (deal_id !== undefined) return registerExisting(ctx, deal_id, fields);
  checkSale(fields);
  return createDeal(ctx, fields);
}

function registerExisting(ctx: Context, deal_id: string, sent: Omit<SaleCreate, "deal_id">): Promise<Deal> {
  const { click_id, ...fields } = sent;
  const staged = OF_STAGE.find((field) => fields[field] !== undefined);
  if (staged !== undefined) refuseField(staged, "not_of_registration", `${staged} cannot be sent with deal_id; move the deal.`);
  return ctx.tx(async (tx) => {
    const before = await plainDeal(ctx, tx, deal_id);
    const account = await accountForChange(ctx, tx, "deal", before.account_id);
    if (!account.house) refuseUnknown(deal_id);
    checkSale({ ...before, ...fields });
    const changed = await changeDeal(ctx, tx, account, before, fields);
    const clicked = before.affiliate_link_id === null ? await clickedLink(ctx, tx, click_id) : null;
    if (clicked === null) return registerPlain(ctx, tx, changed);
    await attribute(ctx, tx, "deal", deal_id, clicked);
    return registerPlain(ctx, tx, { ...changed, affiliate_link_id: clicked.link_id });
  });
}

/** A locked deal that can be registered. */
async function plainDeal(ctx: Context, tx: Tx, id: string): Promise<Deal> {
  const [deal] = await dealsForUpdate(tx, ctx.scope, [id]);
  if (deal === undefined || deal.deleted_at !== null) refuseUnknown(id);
  requireVersion(ctx, deal);
  if (deal.registration !== null)
    fail("deal_conflict", {
      detail: "This deal is already registered.",
      meta: { protected_until: deal.registration.protected_until, existing_id: id },
    });
  if (deal.status === "open") return deal;
  fail("invalid_state_transition", {
    detail: `The deal is ${deal.status}. Only an open deal can be registered.`,
    meta: { from: deal.status, to: "registered", allowed: ["open"] },
  });
}

function refuseUnknown(id: string): never {
  refuseField("deal_id", "unknown_deal", `There is no deal ${id} in the house account.`);
}
