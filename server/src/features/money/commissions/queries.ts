import { columnsOf } from "../../../platform/db/columns.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { pollStatement, type Query, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Commission, Group } from "./model.ts";

const COLUMNS = [
  ["id", "text"],
  ["cause", "text"],
  ["kind", "text"],
  ["level", "int"],
  ["deal_id", "text"],
  ["round", "int"],
  ["client_id", "text"],
  ["charge_id", "text"],
  ["refund_id", "text"],
  ["root_id", "text"],
  ["source_commission_id", "text"],
  ["source_partner_id", "text"],
  ["origin_partner_id", "text"],
  ["origin_commission_id", "text"],
  ["base_cents", "bigint"],
  ["rate_bps", "int"],
  ["amount_cents", "bigint"],
  ["currency", "text"],
  ["grade", "text"],
  ["rule", "jsonb"],
  ["calculation", "jsonb"],
  ["reason_code", "text"],
  ["accrued_at", "timestamptz"],
  ["status", "text"],
  ["hold_until", "timestamptz"],
  ["hold_reason", "text"],
  ["payout_id", "text"],
  ["version", "int"],
] as const satisfies (readonly [keyof Commission, string])[];

const COMMISSION = columnsOf("c", ["partner_id", ...COLUMNS.map(([name]) => name)]);

const insertCommissions = insertRows("commissions", COLUMNS);

export function commissionsQuery(partner_id: string, rows: readonly Commission[]): Query {
  const value = (row: Commission, name: keyof Commission) =>
    name === "rule" || name === "calculation" ? (row[name] === null ? null : JSON.stringify(row[name])) : row[name];
  return insertCommissions(
    partner_id,
    rows.map((row) => COLUMNS.map(([name]) => value(row, name))),
  );
}

const saveStatement = statement(`
  update commissions c
  set status = v.status, hold_until = v.hold_until, hold_reason = v.hold_reason, payout_id = v.payout_id, version = v.version
  from unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::int[])
    as v (id, status, hold_until, hold_reason, payout_id, version)
  where c.partner_id = $1 and c.id = v.id`);

/** Saves what can change of commissions in a locked book. */
export function saveQuery(partner_id: string, rows: readonly Commission[]): Query {
  const column = (name: keyof Commission) => rows.map((row) => row[name]);
  const values = (["id", "status", "hold_until", "hold_reason", "payout_id", "version"] as const).map(column);
  return { statement: saveStatement, values: [partner_id, ...values] };
}

const byCauseStatement = statement(`
  select ${COMMISSION} from commissions c where c.partner_id = $1 and c.cause = any ($2)
  union all
  select ${COMMISSION} from commissions c
  where c.partner_id = $1 and c.root_id in (select r.id from commissions r where r.partner_id = $1 and r.cause = any ($2))`);

const byRootStatement = statement(`
  select ${COMMISSION} from commissions c where c.partner_id = $1 and c.id = any ($2)
  union all
  select ${COMMISSION} from commissions c where c.partner_id = $1 and c.root_id = any ($2)`);

/** The roots that some facts caused in a locked book, with the rows that name them, by their cause. */
export async function groupsByCause(tx: Queryable, partner_id: string, causes: readonly string[]): Promise<Map<string, Group>> {
  if (causes.length === 0) return new Map();
  const groups = groupsOf(await tx.query<Commission>(byCauseStatement, [partner_id, causes]));
  return new Map(groups.map((group) => [group.root.cause, group]));
}

/** Roots of a locked book with the rows that name them. */
export async function groupsByRoot(tx: Queryable, partner_id: string, ids: readonly string[]): Promise<Group[]> {
  return groupsOf(await tx.query<Commission>(byRootStatement, [partner_id, ids]));
}

function groupsOf(rows: readonly Commission[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) if (row.root_id === null) groups.set(row.id, { root: row, rows: [row] });
  for (const row of rows) if (row.root_id !== null) groups.get(row.root_id)?.rows.push(row);
  return [...groups.values()];
}

const oneStatement = statement(`select ${COMMISSION} from commissions c where c.partner_id = $1 and c.id = $2`);

export async function commissionRowOrNull(tx: Queryable, partner_id: string, id: string): Promise<Commission | null> {
  return (await tx.query<Commission>(oneStatement, [partner_id, id]))[0] ?? null;
}

const causedStatement = statement(`select ${COMMISSION} from commissions c where c.partner_id = $1 and c.cause = $2`);

export async function commissionCausedBy(tx: Queryable, partner_id: string, cause: string): Promise<Commission | null> {
  return (await tx.query<Commission>(causedStatement, [partner_id, cause]))[0] ?? null;
}

/** All partners: the operator names a commission without its partner. */
const partnerStatement = statement("select c.partner_id from commissions c where c.id = $1");

/** The partner that a commission belongs to. */
export async function partnerOfCommission(db: Queryable, id: string): Promise<string | null> {
  return (await db.query<{ partner_id: string }>(partnerStatement, [id]))[0]?.partner_id ?? null;
}

const duePartnersStatement = pollStatement(`
  -- all partners: the approval job
  select c.partner_id from commissions c where c.status = 'pending' and c.hold_until <= $1 group by c.partner_id order by c.partner_id limit $2`);

/** Partners with commissions whose hold is over. */
export async function partnersWithDue(db: Queryable, now: Date, limit: number): Promise<string[]> {
  return (await db.query<{ partner_id: string }>(duePartnersStatement, [now, limit])).map(({ partner_id }) => partner_id);
}

const dueStatement = statement(`
  select c.id from commissions c
  where c.partner_id = $1 and c.status = 'pending' and c.hold_until <= $2 and c.root_id is null order by c.id limit $3`);

/** Roots of a locked book whose hold is over. */
export async function dueRoots(tx: Queryable, partner_id: string, now: Date, limit: number): Promise<string[]> {
  return (await tx.query<{ id: string }>(dueStatement, [partner_id, now, limit])).map(({ id }) => id);
}

const partnersStatement = statement("select p.id, p.grade, p.status, p.house_account_id from partners p where p.id = any ($1)");

export type PartnerFacts = { id: string; grade: string; status: string; house_account_id: string };

export async function partnerFacts(tx: Queryable, ids: readonly string[]): Promise<Map<string, PartnerFacts>> {
  const rows = await tx.query<PartnerFacts>(partnersStatement, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

const activeClientsStatement = statement(`
  select count(*)::int as count from (
    select 1 from clients c where c.partner_id = $1 and c.status = 'active' and not c.house limit $2) x`);

/** Whether a partner has at least so many active clients of its own. */
export async function hasActiveClients(tx: Queryable, partner_id: string, count: number): Promise<boolean> {
  if (count === 0) return true;
  const [row] = await tx.query<{ count: number }>(activeClientsStatement, [partner_id, count]);
  return (row?.count ?? 0) >= count;
}

const termsStatement = statement(`
  select coalesce(t.hold_days, g.hold_days) as hold_days, g.override_bps, g.override_gate, g.total_cap_bps, g.first_charge_days
  from programme g left join tiers t on t.grade = $1`);

export type ProgrammeTerms = {
  hold_days: number;
  override_bps: number[];
  override_gate: number;
  total_cap_bps: number;
  first_charge_days: number;
};

/** The terms of the programme for a grade. */
export async function programmeTerms(db: Queryable, grade: string): Promise<ProgrammeTerms> {
  const [terms] = await db.query<ProgrammeTerms>(termsStatement, [grade]);
  if (terms === undefined) throw new Error("the first run has not created the programme");
  return terms;
}
