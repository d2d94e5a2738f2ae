import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
import { NO_RULES, type Pipeline, type Stage } from "./model.ts";
import type { PipelineListQuery } from "./schema.ts";

const STAGE_JSON = `json_build_object('id', s.id, 'name', s.name, 'type', s.type, 'probability', s.probability,
    'required_fields', s.required_fields, 'target_days', s.target_days)`;

/** A pipeline as the API shows it, from a row `c`. */
const PIPELINE_JSON = `(select row_to_json(x)::text from (select c.id, c.account_id, c.name, c.is_default,
    '${JSON.stringify(NO_RULES)}'::jsonb || c.rules as rules,
    (select json_agg(${STAGE_JSON} order by s.position) from stages s
      where s.partner_id = c.partner_id and s.pipeline_id = c.id and not s.archived) as stages,
    c.archived, wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version) x)`;

const pipelineWhere = (condition: string) =>
  statement(`select ${PIPELINE_JSON} as json from pipelines c where c.partner_id = $1 and ${condition}`);

function read([row]: { json: string }[]): Pipeline | null {
  return row === undefined ? null : { ...JSON.parse(row.json), json: row.json };
}

const pipelineById = pipelineWhere("c.id = $2 and ($3::text[] is null or c.account_id = any ($3))");

/** One pipeline that the caller may see. */
export async function pipelineOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Pipeline | null> {
  return read(await db.query(pipelineById, [scope.partner_id, id, boundClients(scope)]));
}

/** The pipeline asked for, or the account's default for null. */
const MEANT = `c.account_id = $2 and c.id = coalesce($3, (
    select d.id from pipelines d where d.partner_id = $1 and d.account_id = $2 and d.is_default))`;
const pipelineMeant = pipelineWhere(MEANT);
const holdStatement = statement(`select c.id from pipelines c where c.partner_id = $1 and ${MEANT} for share`);

/**
 * A pipeline of an account, kept as it is until the transaction ends: whoever puts a deal into a stage holds it, and a change of the
 * definition waits for them. It is read after it is held, because a statement that waited would still see the stages of before.
 */
export async function heldPipelineOrNull(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  id: string | null,
): Promise<Pipeline | null> {
  const values = [scope.partner_id, account_id, id];
  const [[held], rows] = await Promise.all([
    tx.query<{ id: string }>(holdStatement, values),
    tx.query<{ json: string }>(pipelineMeant, values),
  ]);
  const pipeline = read(rows);
  // The default has moved meanwhile.
  if (pipeline !== null && held?.id !== pipeline.id) return heldPipelineOrNull(tx, scope, account_id, pipeline.id);
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
 * Locks what an account has, so that its definitions change one after the other, and gives how many are in use besides one. They are
 * counted after they are locked, because a statement that waited would not count those made meanwhile.
 */
export async function lockPipelines(tx: Queryable, scope: TenantScope, account_id: string, id: string | null): Promise<number> {
  const values = [scope.partner_id, account_id, id];
  const [, [row]] = await Promise.all([tx.query(lockStatement, values), tx.query<{ others: number }>(countStatement, values)]);
  return row?.others ?? 0;
}

const stageColumns = "partner_id, id, pipeline_id, name, position, type, probability, required_fields, target_days";
const stageRows = (place: string) => `
  select $1, s.id, $2, s.name, s.ordinality, s.type, s.probability, s.required_fields, s.target_days
  from rows from (jsonb_to_recordset(${place}) as (id text, name text, type text, probability int, required_fields text[], target_days int))
    with ordinality as s (id, name, type, probability, required_fields, target_days, ordinality)`;

const insertStatement = statement(`
  with made as (
    insert into pipelines (partner_id, id, account_id, name, is_default, rules, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7)
  )
  insert into stages (${stageColumns}) ${stageRows("$8")}`);

export type NewPipeline = Pick<Pipeline, "id" | "account_id" | "name" | "is_default" | "rules" | "stages">;

/** Adds a pipeline with its stages in one statement. */
export async function insertPipeline(tx: Tx, scope: TenantScope, pipeline: NewPipeline): Promise<void> {
  const { id, account_id, name, is_default, rules, stages } = pipeline;
  const values = [scope.partner_id, id, account_id, name, is_default, rules, tx.now, JSON.stringify(stages)];
  await tx.query(insertStatement, values);
}

const undefaultStatement = statement(`
  update pipelines c set is_default = false, updated_at = $4, version = c.version + 1
  where c.partner_id = $1 and c.account_id = $2 and c.is_default and c.id <> $3`);

/** Takes the place of the default from whatever pipeline has it. */
async function takeDefault(tx: Tx, scope: TenantScope, account_id: string, id: string): Promise<void> {
  await tx.query(undefaultStatement, [scope.partner_id, account_id, id, tx.now]);
}

/** Adds a pipeline to those of an account, which are locked; null when its name, or two of its stages' names, are taken. */
export async function addToPipelines(tx: Tx, scope: TenantScope, pipeline: NewPipeline): Promise<Pipeline | null> {
  const { id, account_id, is_default } = pipeline;
  const made = await unlessTaken(tx, () =>
    Promise.all([...(is_default ? [takeDefault(tx, scope, account_id, id)] : []), insertPipeline(tx, scope, pipeline)]),
  );
  return made === null ? null : pipelineOrNull(tx, scope, id);
}

const updateStatement = statement(`
  update pipelines c set name = $3, is_default = $4, rules = $5, archived = $6, updated_at = $7, version = c.version + 1
  where c.partner_id = $1 and c.id = $2`);
/** All are put away and those that stay are taken out again, so that two may swap their names. */
const archiveStages = statement(
  "update stages s set archived = true where s.partner_id = $1 and s.pipeline_id = $2 and not s.archived",
);
const saveStages = statement(`
  insert into stages (${stageColumns}) ${stageRows("$3")}
  on conflict (partner_id, id) do update set name = excluded.name, position = excluded.position, probability = excluded.probability,
    required_fields = excluded.required_fields, target_days = excluded.target_days, archived = false`);

/** Saves a definition that was locked before; null when its name, or two of its stages' names, are taken. */
export async function savePipeline(
  tx: Tx,
  scope: TenantScope,
  pipeline: Pipeline,
  stages: Stage[] | null,
): Promise<Pipeline | null> {
  const { id, account_id, name, is_default, rules, archived } = pipeline;
  const saved = await unlessTaken(tx, () =>
    Promise.all([
      ...(is_default ? [takeDefault(tx, scope, account_id, id)] : []),
      tx.query(updateStatement, [scope.partner_id, id, name, is_default, rules, archived, tx.now]),
      ...(stages === null
        ? []
        : [
            tx.query(archiveStages, [scope.partner_id, id]),
            tx.query(saveStages, [scope.partner_id, id, JSON.stringify(stages)]),
          ]),
    ]),
  );
  return saved === null ? null : pipelineOrNull(tx, scope, id);
}

const nameOwner = statement(`
  select c.id from pipelines c
  where c.partner_id = $1 and c.account_id = $2 and lower(c.name) = lower($3) and not c.archived and c.id is distinct from $4`);

/** Whose a name is that is taken. */
export async function pipelineNamed(tx: Queryable, scope: TenantScope, account_id: string, name: string, own_id: string | null) {
  const [row] = await tx.query<{ id: string }>(nameOwner, [scope.partner_id, account_id, name, own_id]);
  return row?.id ?? null;
}

export function pipelinesPage(db: Queryable, scope: TenantScope, query: PipelineListQuery) {
  const { account_id, archived = false } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("pipelines", { account_id, archived }),
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
