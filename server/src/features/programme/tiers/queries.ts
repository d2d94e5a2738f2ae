import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import type { Tier } from "./model.ts";
import { TIER_FIELDS, Tier as TierSchema, type TierShown } from "./schema.ts";

const allStatement = statement(`
  select t.grade, t.name, t.rank, t.requirements, t.hold_days, t.protection_days, t.open_registrations_max,
    t.rate_limit_per_minute, t.rate_limit_burst, t.api_access, t.version
  from tiers t order by t.rank`);

/** Every tier, in ascending rank. */
export function allTiers(db: Queryable): Promise<Tier[]> {
  return db.query<Tier>(allStatement);
}

/** The rule of a grade that a sale without anything special about it falls under. */
const RATE = `(
  select json_build_object('first', n.first, 'recurring', n.recurring, 'months', n.months)
  from (
    select distinct on (r.id) r.* from commission_rules r where r.scope = 'grade' and r.grade = c.grade order by r.id, r.version desc
  ) n
  where n.active and n.plan is null and n.currency is null and n.min_mrr_cents is null
  order by n.priority desc, n.id limit 1)`;

const TIER_JSON = rowJson(TierSchema, { rate: RATE });

/** What the programme says is filled in. */
const EFFECTIVE_JSON = rowJson(TierSchema, {
  rate: RATE,
  hold_days: "coalesce(c.hold_days, p.hold_days)",
  protection_days: "coalesce(c.protection_days, p.protection_days)",
  open_registrations_max: "coalesce(c.open_registrations_max, p.open_registrations_max)",
  payout_minimums: "p.payout_minimums || c.payout_minimums",
});

/** A tier as the API shows it, with its JSON. */
export type TierRow = TierShown & { json: string };

const listStatement = statement(`select ${TIER_JSON} as json from tiers c order by c.rank`);
const effectiveStatement = statement(`select ${EFFECTIVE_JSON} as json from tiers c cross join programme p order by c.rank`);

/** Every tier in ascending rank, as the operator has set it or with what the programme says filled in. */
export async function tiersJson(db: Queryable, shown: "as_set" | "effective"): Promise<string> {
  const rows = await db.query<{ json: string }>(shown === "as_set" ? listStatement : effectiveStatement);
  return `{"data":[${rows.map(({ json }) => json).join(",")}],"has_more":false,"next_cursor":null}`;
}

const byGrade = statement(`select ${TIER_JSON} as json from tiers c where c.grade = $1`);

export async function tierOrNull(db: Queryable, grade: string): Promise<TierRow | null> {
  return parsedRow<TierShown>(await db.query(byGrade, [grade]));
}

const keepStatement = statement("select 1 from tiers t where t.grade = $1 for key share");

/** Whether a grade exists; it then stays until the transaction ends. */
export async function isGrade(tx: Queryable, grade: string): Promise<boolean> {
  return (await tx.query(keepStatement, [grade])).length > 0;
}

const lockStatement = statement(`select ${TIER_JSON} as json from tiers c where c.grade = $1 for update of c`);

/** A tier, after everybody who keeps it has ended. Changes of tiers take turns: each sees the ranks that those before it have left. */
export async function tierForUpdateOrNull(tx: Tx, grade: string): Promise<TierRow | null> {
  await takeTurn(tx, "tiers");
  return parsedRow<TierShown>(await tx.query(lockStatement, [grade]));
}

const topStatement = statement("select max(t.rank) as rank from tiers t");

/** The highest rank; nobody takes another one before the transaction ends. */
export async function highestRank(tx: Tx): Promise<number> {
  await takeTurn(tx, "tiers");
  const [top] = await tx.query<{ rank: number | null }>(topStatement);
  return top?.rank ?? 0;
}

const INSERTED = ["grade", ...TIER_FIELDS, "created_at", "updated_at"] as const;

const insertStatement = statement(`
  with c as (insert into tiers ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${TIER_JSON} as json from c`);

type Stored = Omit<TierShown, "rate" | "created_at" | "updated_at" | "version">;

/** An array would be sent as one of PostgreSQL's. */
const stored = (tier: Stored) => ({ ...tier, requirements: JSON.stringify(tier.requirements) });

/** Adds a tier; null when another one has its grade or rank. */
export async function insertTier(tx: Tx, tier: Stored): Promise<TierRow | null> {
  const row = { ...stored(tier), created_at: tx.now, updated_at: tx.now };
  return parsedRow<TierShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const updateStatement = statement(`
  with c as (
    update tiers set ${assignments([...TIER_FIELDS, "updated_at"], 2)}, version = version + 1 where grade = $1
    returning *
  )
  select ${TIER_JSON} as json from c`);

/** Saves a tier; null when another one has its rank. */
export async function saveTier(tx: Tx, tier: TierRow): Promise<TierRow | null> {
  const values = [tier.grade, ...valuesOf(stored(tier), TIER_FIELDS), tx.now];
  const rows = await unlessTaken(tx, () => tx.query<{ json: string }>(updateStatement, values));
  return rows === null ? null : parsedRow<TierShown>(rows);
}

const deleteStatement = statement("delete from tiers where grade = $1");

export async function removeTier(tx: Tx, grade: string): Promise<void> {
  await tx.query(deleteStatement, [grade]);
}

const usesStatement = statement(`
  select
    exists (select from partners p where p.grade = $1) as partners,
    exists (
      select from (
        select distinct on (r.id) r.active from commission_rules r where r.grade = $1 order by r.id, r.version desc
      ) n where n.active
    ) as rules,
    exists (select from certifications k where k.lifts_to = $1) as certifications`);

/** What still names the grade of a locked tier. */
export async function usesOf(tx: Tx, grade: string): Promise<string[]> {
  const [uses = {}] = await tx.query<Record<string, boolean>>(usesStatement, [grade]);
  return Object.keys(uses).filter((use) => uses[use]);
}
