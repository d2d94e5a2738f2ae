import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

const byCodeStatement = statement(`
  select l.id, l.code_key, l.window_days from affiliate_links l where l.partner_id = $1 and l.code_key = any ($2)`);

export type CodedLink = { id: string; code_key: string; window_days: number };

/** The links of a partner with some codes, by their folded code. */
export async function linksWithCodes(
  db: Queryable,
  { partner_id }: TenantScope,
  code_keys: readonly string[],
): Promise<Map<string, CodedLink>> {
  const rows = await db.query<CodedLink>(byCodeStatement, [partner_id, code_keys]);
  return new Map(rows.map((link) => [link.code_key, link]));
}

const insertStatement = statement(`
  insert into attributions as a (partner_id, record_id, kind, link_id, click_id, clicked_at, created_at)
  select $1, v.record_id, $3, v.link_id, v.click_id, v.clicked_at, $2
  from unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[]) as v (record_id, link_id, click_id, clicked_at)
  on conflict (partner_id, record_id) do update
    set link_id = excluded.link_id, click_id = excluded.click_id, clicked_at = excluded.clicked_at
    where excluded.clicked_at > a.clicked_at
  returning record_id`);

export type Attribution = { record_id: string; link_id: string; click_id: string; clicked_at: Date };

/** Stores attributions, each unless a later click of its record is known, and returns how many. */
export async function insertAttributions(
  tx: Tx,
  { partner_id }: TenantScope,
  kind: "lead" | "deal",
  rows: readonly Attribution[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const columns = (["record_id", "link_id", "click_id", "clicked_at"] as const).map((name) => rows.map((row) => row[name]));
  return (await tx.query(insertStatement, [partner_id, tx.now, kind, ...columns])).length;
}

const copyStatement = statement(`
  insert into attributions (partner_id, record_id, kind, link_id, click_id, clicked_at, created_at)
  select $1, $3, 'deal', a.link_id, a.click_id, a.clicked_at, $4
  from attributions a where a.partner_id = $1 and a.record_id = $2
  on conflict do nothing`);

/** Attributes a deal to the link that its lead came by. */
export async function copyAttribution(tx: Tx, { partner_id }: TenantScope, lead_id: string, deal_id: string): Promise<void> {
  await tx.query(copyStatement, [partner_id, lead_id, deal_id, tx.now]);
}
