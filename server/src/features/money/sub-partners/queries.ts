import { encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../../kernel/page.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import { byCreation, keysetRows, type Paging } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { SubPartner } from "./schema.ts";

/** Active clients and overrides follow for the whole page at once. */
const PARTNER_JSON = rowJson(SubPartner, {
  partner_id: "c.id",
  active_clients: "0",
  overrides: "null",
  joined_at: "wire_time(c.created_at)",
});

const oneStatement = statement(`select ${PARTNER_JSON} as json from partners c where c.parent_id = $1 and c.id = $2`);

/** All partners: those of a page, which one partner has below it. */
const activeStatement = statement(`
  select c.partner_id, count(*)::int as active_clients from clients c
  where c.partner_id = any ($1) and c.status = 'active' and not c.house
  group by c.partner_id`);

const overridesStatement = statement(`
  select m.source_partner_id as partner_id, m.currency, sum(m.amount_cents)::bigint as amount_cents from commissions m
  where m.partner_id = $1 and m.source_partner_id = any ($2) and m.kind <> 'marketplace'
  group by m.source_partner_id, m.currency
  order by m.source_partner_id, m.currency`);

type Earned = { partner_id: string; currency: string; amount_cents: number };

/** Partners below another with their totals: the clients by their own rows, the overrides by the book of the one above. */
async function withTotals(db: Queryable, parent_id: string, rows: { json: string }[]): Promise<SubPartner[]> {
  const partners = rows.map(({ json }) => JSON.parse(json) as SubPartner);
  if (partners.length === 0) return [];
  const ids = partners.map(({ partner_id }) => partner_id);
  const [counts, earned] = await Promise.all([
    db.query<Pick<SubPartner, "partner_id" | "active_clients">>(activeStatement, [ids]),
    db.query<Earned>(overridesStatement, [parent_id, ids]),
  ]);
  return partners.map((partner) => ({
    ...partner,
    active_clients: counts.find(({ partner_id }) => partner_id === partner.partner_id)?.active_clients ?? 0,
    overrides: earned
      .filter(({ partner_id }) => partner_id === partner.partner_id)
      .map(({ currency, amount_cents }) => ({ currency, amount_cents })),
  }));
}

export async function subPartnerOrNull(db: Queryable, parent_id: string, id: string): Promise<SubPartner | null> {
  return (await withTotals(db, parent_id, await db.query(oneStatement, [parent_id, id])))[0] ?? null;
}

/** Newest first. */
export async function subPartnersPage(db: Queryable, parent_id: string, paging: Paging): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT } = paging;
  const list = listIdentity("sub-partners", { parent_id });
  const conditions = (place: (value: unknown) => string) => [`c.parent_id = ${place(parent_id)}`];
  const rows = await keysetRows(
    db,
    null,
    { list, table: "partners", json: PARTNER_JSON, sort: byCreation(true), conditions },
    paging,
  );
  const shown = await withTotals(db, parent_id, rows);
  const items = shown.map((partner) => ({ id: partner.partner_id, json: JSON.stringify(partner) }));
  return { json: pageJson(items, limit, ({ id }) => encodeCursor(list, [id])) };
}
