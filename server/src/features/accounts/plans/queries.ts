import { listIdentity } from "../../../kernel/page.ts";
import { steadyStatement } from "../../../platform/db/assumptions.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byText, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Sender } from "../../../platform/db/transaction.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import { PLAN_FIELDS, type PlanListQuery, Plan as PlanSchema, type PlanShown } from "./schema.ts";

const PLAN_JSON = rowJson(PlanSchema);

/** A plan as the API shows it, with its JSON. */
export type Plan = PlanShown & { json: string };

const planById = statement(`select ${PLAN_JSON} as json from plans c where c.id = $1`);
const lockPlan = statement(`select ${PLAN_JSON} as json from plans c where c.id = $1 for update`);

export async function planOrNull(db: Queryable, id: string): Promise<Plan | null> {
  return parsedRow<PlanShown>(await db.query(planById, [id]));
}

export async function planForUpdateOrNull(tx: Queryable, id: string): Promise<Plan | null> {
  return parsedRow<PlanShown>(await tx.query(lockPlan, [id]));
}

/** Plans in the order of their names. */
export function plansPage(db: Queryable, query: PlanListQuery): Promise<{ json: string }> {
  const { state } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("plans", { state }),
      table: "plans",
      json: PLAN_JSON,
      sort: byText("lower(c.name)"),
      conditions: (place) => (state === undefined ? [] : [anyOf("c.state", state, place)]),
    },
    query,
  );
}

const INSERTED = ["id", ...PLAN_FIELDS, "created_at", "updated_at"] as const;

const insertStatement = statement(`
  with c as (insert into plans ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${PLAN_JSON} as json from c`);

/** Adds a plan; null when another one has its name. */
export async function insertPlan(tx: Tx, plan: Pick<PlanShown, (typeof PLAN_FIELDS)[number]>): Promise<Plan | null> {
  const row = { ...plan, id: tx.newId("plan"), created_at: tx.now, updated_at: tx.now };
  return parsedRow<PlanShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const updateStatement = statement(`
  with c as (
    update plans set ${assignments([...PLAN_FIELDS, "updated_at"], 2)}, version = version + 1 where id = $1
    returning *
  )
  select ${PLAN_JSON} as json from c`);

/** Saves a locked plan; null when another one has its name. */
export async function savePlan(tx: Tx, plan: Plan): Promise<Plan | null> {
  const rows = await unlessTaken(tx, () =>
    tx.query<{ json: string }>(updateStatement, [plan.id, ...valuesOf(plan, PLAN_FIELDS), tx.now]),
  );
  return rows === null ? null : parsedRow<PlanShown>(rows);
}

const idByName = statement("select p.id from plans p where lower(p.name) = lower($1)");

/** The id of the plan that has a name, in whatever case. */
export async function planIdByNameOrNull(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(idByName, [name]);
  return row?.id ?? null;
}

const ANY_ACTIVE = "exists (select from plans a where a.state = 'active')";
const ACCEPTED_NAME = `(
  select p.name from plans p where lower(p.name) = lower($1) and (p.state = 'active' or p.state = 'legacy' and ${ANY_ACTIVE}))`;

type AcceptedPlan = { name: string | null; active: string[] | null };

/**
 * One probe of the unique index and one of the few plans; names are read only for a refusal. That a name is refused is never assumed, so
 * the mark need not tell one refusal from another.
 */
const acceptedStatement = steadyStatement<AcceptedPlan>(
  `
  select m.name, case when m.name is null
    then array(select a.name from plans a where a.state = 'active' order by lower(a.name) limit 100) end as active
  from (select ${ACCEPTED_NAME} as name) m`,
  { of: ({ name }) => name, same: `case when $2::text is null then not ${ANY_ACTIVE} else ${ACCEPTED_NAME} = $2 end` },
);

/** The name of the plan that is accepted under some name, or the names of the active plans. */
export async function acceptedPlan(tx: Sender, name: string): Promise<AcceptedPlan> {
  const [row] = await tx.recall<AcceptedPlan>(acceptedStatement, [name]);
  if (row === undefined) throw new Error("a select without from has one row");
  return row;
}
