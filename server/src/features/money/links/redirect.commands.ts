import { newId } from "../../../kernel/ids.ts";
import type { Services } from "../../../platform/record/context.ts";
import type { Clicks } from "./clicks.commands.ts";
import { codeKey } from "./model.ts";
import { botOf, clickToken, locationOf, referrerHost } from "./redirect.model.ts";
import { targetOrNull } from "./redirect.queries.ts";

/** A request for a link, as the surface sees it. */
export type Visit = {
  code: string;
  /** HEAD asks where a link leads; only GET is a click. */
  clicks: boolean;
  query: Record<string, unknown>;
  headers: Parameters<typeof botOf>[0];
  ip: string;
};

/** Where a link leads, and the click as far as it counts; null for a code that there is not. Nothing is written here. */
export async function followLink(services: Services, clicks: Clicks, visit: Visit): Promise<string | null> {
  const { query, headers } = visit;
  const code_key = codeKey(visit.code);
  const now = services.clock.now();
  const target = code_key === null ? null : await targetOrNull(services.db.byKey, code_key, now);
  if (target === null) return null;
  if (!visit.clicks || !target.counts) return locationOf(target, query, null);
  const { partner_id, link_id, code } = target;
  const id = newId("click", now.getTime());
  const agent = headers["user-agent"] ?? "";
  clicks.note({ id, partner_id, link_id, ip: visit.ip, agent, referrer_host: referrerHost(headers), bot: botOf(headers) });
  return locationOf(target, query, clickToken(services.signer, id, code));
}
