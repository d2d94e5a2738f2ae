import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, objectJson, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
import { NO_RULES, PIPELINE_FIELDS, type Pipeline, type Stage } from "./model.ts";
import { type PipelineListQuery, Pipeline as PipelineSchema, Stage as StageSchema } from "./schema.ts";

type Whose = Pick<TenantScope, "partner_id">;

/** A pipeline as the API shows it, from a row `c` of the partner $1. */
const PIPELINE_JSON = rowJson(PipelineSchema, {
  rules: `'${JSON.stringify(NO_RULES)}'::jsonb || c.rules`,
  stages: `(select json_agg(${objectJson(StageSchema, "s")} order by s.position) from stages s
      where s.partner_id = $1 and s.pipeline_id = c.id and not s.archived)`,
});

const pipelineWhere = (condition: string) =>
  statement(`select ${PIPELINE_JSON} as json from pipelines c where c.partner_id = $1 and ${condition}`);

const pipelineById = pipelineWhere("c.id = $2 and ($3::text[] is null or c.account_id = any ($3))");

/** One pipeline within the caller's scope. */
export async function pipelineOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Pipeline | null> {
  return parsedRow<Pipeline>(await db.query(pipelineById, [scope.partner_id, id, boundClients(scope)]));
}

/** The requested pipeline, or the account's default for null. */
const REQUESTED = `c.account_id = $2 and c.id = coalesce($3, (
    select d.id from pipelines d where d.partner_id = $1 and d.account_id = $2 and d.is_default))`;
const requestedPipeline = pipelineWhere(REQUESTED);
const shareStatement = statement(`select c.id from pipelines c where c.partner_id = $1 and ${REQUESTED} for share`);

/**
 * A pipeline of an account, locked for share until the transaction ends: a change of its definition waits for those who put deals into
 * its stages. It is read after it is locked, because a statement that waited would still see the previous stages.
 */
export async function pipelineForShareOrNull(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  id: string | null,
): Promise<Pipeline | null> {
  const values = [scope.partner_id, account_id, id];
  const [[locked], rows] = await Promise.all([
    tx.query<{ id: string }>(shareStatement, values),
    tx.query<{ json: string }>(requestedPipeline, values),
  ]);
  const pipeline = parsedRow<Pipeline>(rows);
  // The default changed between the two statements.
  if (pipeline !== null && locked?.id !== pipeline.id) return pipelineForShareOrNull(tx, scope, account_id, pipeline.id);
  return pipeline;
}

const lockStatement = statement(`
  select c.id from pipelines c
  where c.partner_id = $1 and c.account_id = $2 and (not c.archived or c.id = $3)
  order by c.id for update`);

const countStatement = statement(`
  select count(*)::int as others from pipelines c
  where c.partner_id = $1 and c.account_id = $2 and not c.archived and c.id is distinct from $3`);

/**
 * Locks the pipelines of an account, which serialises changes of their definitions, and counts those in use besides one. They are
 * counted after they are locked, because a statement that waited would not count those created meanwhile.
 */
export async function lockPipelines(tx: Queryable, scope: TenantScope, account_id: string, id: string | null): Promise<number> {
  const values = [scope.partner_id, account_id, id];
  const [, [row]] = await Promise.all([tx.query(lockStatement, values), tx.query<{ others: number }>(countStatement, values)]);
  return row?.others ?? 0;
}

/** The columns of a stage besides its ids and its position, with their types. */
export const STAGE_COLUMNS = {
  name: "text",
  type: "text",
  probability: "int",
  required_fields: "text[]",
  target_days: "int",
} satisfies Partial<Record<keyof Stage, string>>;
export const STAGE_FIELDS = Object.keys(STAGE_COLUMNS);

type StageRow = Stage & { pipeline_id: string; position: number };

/** The stages of a pipeline as rows, positioned in their order. */
function stageRows({ id, stages }: Pick<Pipeline, "id" | "stages">): StageRow[] {
  return stages.map((stage, index) => ({ ...stage, pipeline_id: id, position: index + 1 }));
}

/** Writes stages from the JSON of rows in a parameter. */
const insertStages = (parameter: string) => `
  insert into stages (partner_id, pipeline_id, position, id, ${STAGE_FIELDS.join(", ")})
  select $1, s.pipeline_id, s.position, s.id, ${STAGE_FIELDS.map((field) => `s.${field}`).join(", ")}
  from jsonb_to_recordset(${parameter}) as s (pipeline_id text, position int, id text, ${Object.entries(STAGE_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ")})`;

const insertUnless = (conflict: string) =>
  statement(`
  with added as (
    insert into pipelines (partner_id, id, account_id, name, is_default, rules, created_at, updated_at)
    select $1, r.id, r.account_id, r.name, r.is_default, r.rules, r.at, r.at
    from jsonb_to_recordset($2) as r (id text, account_id text, name text, is_default boolean, rules jsonb, at timestamptz)
    ${conflict}
    returning id
  )
  ${insertStages("$3")} where exists (select from added a where a.id = s.pipeline_id)`);
const insertStatement = insertUnless("");
const insertDefaults = insertUnless("on conflict do nothing");

export type NewPipeline = Pick<Pipeline, "id" | "account_id" | "name" | "is_default" | "rules" | "stages">;

/** The pipelines and their stages as two parameters. */
function rowsOf(pipelines: readonly (NewPipeline & { at: Date })[]): [string, string] {
  return [JSON.stringify(pipelines.map(({ stages, ...row }) => row)), JSON.stringify(pipelines.flatMap(stageRows))];
}

/** Adds pipelines with their stages in one statement. */
export async function insertPipelines(tx: Tx, { partner_id }: Whose, pipelines: readonly NewPipeline[]): Promise<void> {
  await tx.query(insertStatement, [partner_id, ...rowsOf(pipelines.map((pipeline) => ({ ...pipeline, at: tx.now })))]);
}

/** Adds the default pipelines of those accounts that have none. */
export async function insertDefaultPipelines(
  tx: Queryable,
  { partner_id }: Whose,
  pipelines: readonly (NewPipeline & { at: Date })[],
): Promise<void> {
  await tx.query(insertDefaults, [partner_id, ...rowsOf(pipelines)]);
}

const insertDueStatement = statement("insert into pipelines_due (partner_id, account_id) values ($1, $2)");

/** Leaves the default pipeline of an account for its first use. */
export function insertDue(tx: Tx, account: { partner_id: string; id: string }): void {
  tx.send({ statement: insertDueStatement, values: [account.partner_id, account.id] });
}

const dueStatement = statement(`
  select d.account_id from pipelines_due d
  where d.partner_id = $1 and ($2::text[] is null or d.account_id = any ($2)) and ($3::text is null or d.account_id < $3)
  order by d.account_id desc limit $4`);

/** The newest of some accounts, or of all before one, whose default pipeline is not created yet. */
export async function accountsDue(
  db: Queryable,
  scope: Whose,
  { accounts, before, limit }: { accounts: readonly string[] | null; before: string | null; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(dueStatement, [scope.partner_id, accounts, before, limit]);
  return rows.map(({ account_id }) => account_id);
}

const takeDueStatement = statement("delete from pipelines_due d where d.partner_id = $1 and d.account_id = any ($2)");

/** Those who create the pipelines of an account at the same time wait for each other here. */
export async function takeDue(tx: Queryable, scope: Whose, accounts: readonly string[]): Promise<void> {
  await tx.query(takeDueStatement, [scope.partner_id, accounts]);
}

const clearDefaultStatement = statement(`
  update pipelines c set is_default = false, updated_at = $4, version = c.version + 1
  where c.partner_id = $1 and c.account_id = $2 and c.is_default and c.id <> $3`);

/** Clears the default of the account, if it is another pipeline. */
async function clearDefault(tx: Tx, scope: TenantScope, account_id: string, id: string): Promise<void> {
  await tx.query(clearDefaultStatement, [scope.partner_id, account_id, id, tx.now]);
}

/** Adds a pipeline to those of an account, which are locked; null when its name is in use, or the name of two of its stages. */
export async function addToPipelines(tx: Tx, scope: TenantScope, pipeline: NewPipeline): Promise<Pipeline | null> {
  const { id, account_id, is_default } = pipeline;
  const added = await unlessTaken(tx, () =>
    Promise.all([...(is_default ? [clearDefault(tx, scope, account_id, id)] : []), insertPipelines(tx, scope, [pipeline])]),
  );
  return added === null ? null : pipelineOrNull(tx, scope, id);
}

const updateStatement = statement(`
  update pipelines c set ${assignments([...PIPELINE_FIELDS, "updated_at"], 3)}, version = c.version + 1
  where c.partner_id = $1 and c.id = $2`);
/** All stages are archived first and those that stay are restored, so two may swap their names. */
const archiveStages = statement(
  "update stages s set archived = true where s.partner_id = $1 and s.pipeline_id = any ($2) and not s.archived",
);
const saveStages = statement(`
  ${insertStages("$2")}
  on conflict (partner_id, id) do update set ${["position", ...STAGE_FIELDS].map((field) => `${field} = excluded.${field}`).join(", ")},
    archived = false`);

/** Replaces the stages of pipelines. One that is left out is archived. */
export async function replaceStages(tx: Tx, { partner_id }: Whose, pipelines: readonly Pick<Pipeline, "id" | "stages">[]) {
  await Promise.all([
    tx.query(archiveStages, [partner_id, pipelines.map(({ id }) => id)]),
    tx.query(saveStages, [partner_id, JSON.stringify(pipelines.flatMap(stageRows))]),
  ]);
}

/** Saves a definition that was locked before; null when its name is in use, or the name of two of its stages. */
export async function savePipeline(
  tx: Tx,
  scope: TenantScope,
  pipeline: Pipeline,
  stages: Stage[] | null,
): Promise<Pipeline | null> {
  const { id, account_id, is_default } = pipeline;
  const saved = await unlessTaken(tx, () =>
    Promise.all([
      ...(is_default ? [clearDefault(tx, scope, account_id, id)] : []),
      tx.query(updateStatement, [scope.partner_id, id, ...valuesOf(pipeline, PIPELINE_FIELDS), tx.now]),
      ...(stages === null ? [] : [replaceStages(tx, scope, [{ id, stages }])]),
    ]),
  );
  return saved === null ? null : pipelineOrNull(tx, scope, id);
}

const idByName = statement(`
  select c.id from pipelines c
  where c.partner_id = $1 and c.account_id = $2 and lower(c.name) = lower($3) and not c.archived and c.id is distinct from $4`);

/** The id of the pipeline that has a name, besides one. */
export async function pipelineIdByNameOrNull(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  name: string,
  own_id: string | null,
) {
  const [row] = await tx.query<{ id: string }>(idByName, [scope.partner_id, account_id, name, own_id]);
  return row?.id ?? null;
}

export const pipelineList = ({ account_id, archived = false }: PipelineListQuery) =>
  listIdentity("pipelines", { account_id, archived });

export function pipelinesPage(db: Queryable, scope: TenantScope, query: PipelineListQuery) {
  const { account_id, archived = false } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: pipelineList(query),
      table: "pipelines",
      json: PIPELINE_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        archived ? "c.archived" : "not c.archived",
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
      ],
    },
    query,
  );
}
