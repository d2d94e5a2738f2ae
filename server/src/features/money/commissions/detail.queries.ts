import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Audience, commissionJson } from "./list.queries.ts";
import type { Commission, Step } from "./model.ts";

type Row = Pick<Commission, "root_id" | "level" | "version" | "calculation"> & { json: string };

const forEach = (text: (audience: Audience) => string): Record<Audience, ReturnType<typeof statement>> => ({
  partner: statement(text("partner")),
  operator: statement(text("operator")),
});

const byId = forEach(
  (audience) => `
  select c.root_id, c.level, c.version, c.calculation, ${commissionJson(audience)} as json
  from commissions c where c.partner_id = $1 and c.id = $2`,
);

const ofRoot = forEach(
  (audience) => `
  select c.id, c.version, ${commissionJson(audience)} as json
  from commissions c where c.partner_id = $1 and (c.id = $2 or c.root_id = $2) order by c.id`,
);

/** A commission with its calculation and the other rows of its root. */
export async function commissionDetailOrNull(db: Queryable, partner_id: string, audience: Audience, id: string) {
  const [row] = await db.query<Row>(byId[audience], [partner_id, id]);
  if (row === undefined) return null;
  const family = await db.query<{ id: string; version: number; json: string }>(ofRoot[audience], [partner_id, row.root_id ?? id]);
  const related = family.filter((other) => other.id !== id).map(({ json }) => json);
  const steps = audience === "partner" && row.level > 0 ? row.calculation.map(withoutCharge) : row.calculation;
  const detail = `,"calculation":${JSON.stringify(steps)},"related":[${related.join(",")}]}`;
  // The related rows are shown too: the ETag changes with each of them.
  const etag = `${row.version}-${family.reduce((sum, other) => sum + other.version, 0)}`;
  return { version: row.version, etag, json: row.json.slice(0, -1) + detail };
}

/** An override says what it was taken of, and not what the client of another partner paid or got back. */
function withoutCharge({ input: { charge_cents: _, refunded_cents: __, ...input }, ...step }: Step): Step {
  return { ...step, input };
}

const ofChargeStatement = statement(`
  select ${commissionJson("partner")} as json
  from commissions c where c.partner_id = $1 and c.charge_id = $2 and c.level = 0 order by c.id`);

/** What the seller earned by a charge, and what was taken back of it. */
export async function commissionsOfCharge(db: Queryable, partner_id: string, charge_id: string): Promise<string> {
  const rows = await db.query<{ json: string }>(ofChargeStatement, [partner_id, charge_id]);
  return `[${rows.map(({ json }) => json).join(",")}]`;
}
