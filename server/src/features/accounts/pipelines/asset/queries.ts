import { PREFIXES } from "../../../../kernel/ids.ts";
import { newRows } from "../../../../platform/db/row-set.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { lookOf, type NewRecord, newRecords, readOf, recordReads } from "../../configuring/index.ts";
import { FIRST_STAGES, firstPipelineId, NO_RULES, type Pipeline } from "../model.ts";
import { STAGE_COLUMNS, STAGE_FIELDS } from "../queries.ts";
import { type PipelineSpec, pipelineRules } from "./model.ts";

const STAGE_SPEC = `jsonb_build_object('name', s.name, 'type', s.type, 'probability', s.probability, 'target_days', s.target_days,
      'required_fields', to_jsonb(array(select f from unnest(s.required_fields) f order by f collate "C")))`;

const CLIENT = `${PREFIXES.client}_`;
/** The ids of the first pipeline of the account `d` and of its stages, as `firstPipelineId` and `firstStageId` make them. */
const DUE_ID = `replace(d.account_id, '${CLIENT}', '${firstPipelineId(CLIENT)}')`;
const DUE_PARTS = `array[${FIRST_STAGES.map(
  (_, index) => `'${PREFIXES.stage}_' || substr(d.account_id, ${CLIENT.length + 1}, 25) || '${index}'`,
).join(", ")}]`;

/** An account whose first pipeline is due has it already, for everybody who looks. */
const RECORDS = `
  select p.account_id, p.id, p.archived, null as key, s.parts,
    jsonb_build_object('name', p.name, 'is_default', p.is_default, 'rules', $3::jsonb || p.rules, 'stages', s.stages) as spec
  from pipelines p cross join lateral (
    select array_agg(s.id order by s.position) as parts, jsonb_agg(${STAGE_SPEC} order by s.position) as stages
    from stages s where s.partner_id = $1 and s.pipeline_id = p.id and not s.archived) s
  where p.partner_id = $1 and p.account_id = any ($2)
  union all
  select d.account_id, ${DUE_ID}, false, null, ${DUE_PARTS}, $4::jsonb
  from pipelines_due d where d.partner_id = $1 and d.account_id = any ($2)`;

export const pipelineReads = recordReads(statement(lookOf(RECORDS)), statement(readOf(RECORDS)), [
  JSON.stringify(NO_RULES),
  JSON.stringify(pipelineRules.builtin[0]),
]);

const stageIds = statement(`
  select s.pipeline_id, array_agg(s.id) as ids from stages s
  where s.partner_id = $1 and s.pipeline_id = any ($2)
  group by s.pipeline_id`);

/** The ids of all stages of each pipeline, also of those that are archived. */
export async function stageIdsOf(db: Queryable, partner_id: string, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ pipeline_id: string; ids: string[] }>(stageIds, [partner_id, ids]);
  return new Map(rows.map((row) => [row.pipeline_id, row.ids]));
}

const archiveStatement = statement(`
  update pipelines p set archived = true, is_default = false, updated_at = $3, version = p.version + 1
  where p.partner_id = $1 and p.id = any ($2)`);

/** Archives pipelines, which also frees their names and the place of the default. */
export async function archivePipelines(tx: Tx, partner_id: string, ids: readonly string[]): Promise<void> {
  await tx.query(archiveStatement, [partner_id, ids, tx.now]);
}

const restoreStatement = statement(`
  update pipelines p set name = r.name, is_default = r.is_default, rules = r.rules, archived = false
  from jsonb_to_recordset($2) as r (id text, name text, is_default boolean, rules jsonb)
  where p.partner_id = $1 and p.id = r.id`);

/** Saves pipelines that were archived by the same change. */
export async function restorePipelines(tx: Tx, partner_id: string, pipelines: readonly Partial<Pipeline>[]): Promise<void> {
  await tx.query(restoreStatement, [partner_id, JSON.stringify(pipelines)]);
}

const clearStatement = statement(`
  update pipelines p set is_default = false, updated_at = $3, version = p.version + 1
  where p.partner_id = $1 and p.account_id = any ($2) and p.is_default`);

/** Clears the defaults of some accounts. */
export async function clearDefaults(tx: Tx, partner_id: string, accounts: readonly string[]): Promise<void> {
  await tx.query(clearStatement, [partner_id, accounts, tx.now]);
}

const deleteStages = statement("delete from stages s where s.partner_id = $1 and s.pipeline_id = any ($2)");
const deleteStatement = statement("delete from pipelines p where p.partner_id = $1 and p.id = any ($2)");

/** Deletes pipelines that nothing has ever used. */
export async function deletePipelines(tx: Tx, partner_id: string, ids: readonly string[]): Promise<void> {
  await Promise.all([tx.query(deleteStages, [partner_id, ids]), tx.query(deleteStatement, [partner_id, ids])]);
}

const insertPipelines = statement(`
  insert into pipelines (partner_id, created_at, updated_at, id, account_id, name, is_default, rules)
  select $1, $3::timestamptz, $3::timestamptz, v.id, v.account_id, s.name, s.is_default, s.rules
  ${newRows({ name: "text", is_default: "boolean", rules: "jsonb" }, 2, 4)}`);
const insertStages = statement(`
  insert into stages (partner_id, id, pipeline_id, position, ${STAGE_FIELDS.join(", ")})
  select $1, v.id, v.pipeline_id, v.position, ${STAGE_FIELDS.map((name) => `s.${name}`).join(", ")}
  from unnest($3::text[], $4::text[], $5::int[], $6::int[]) as v (id, pipeline_id, position, ordinal)
  join jsonb_to_recordset($2) as s (position int, ordinal int, ${Object.entries(STAGE_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ")}) on s.position = v.position and s.ordinal = v.ordinal`);

/** Adds pipelines to accounts. The ids of their stages are in the order of the stages. */
export async function addPipelines(tx: Tx, partner_id: string, added: readonly (NewRecord & { parts: readonly string[] })[]) {
  const [specs, ids, accounts, ordinals] = newRecords(added);
  const shared = JSON.parse(specs) as (PipelineSpec & { ordinal: number })[];
  const stages = shared.flatMap(({ ordinal, stages }) =>
    stages.map((stage, index) => ({ ...stage, position: index + 1, ordinal })),
  );
  const placed = added.flatMap(({ id, parts }, index) =>
    parts.map((part, place) => ({ id: part, pipeline_id: id, position: place + 1, ordinal: ordinals[index] })),
  );
  await Promise.all([
    tx.query(insertPipelines, [partner_id, specs, tx.now, ids, accounts, ordinals]),
    tx.query(insertStages, [
      partner_id,
      JSON.stringify(stages),
      placed.map(({ id }) => id),
      placed.map(({ pipeline_id }) => pipeline_id),
      placed.map(({ position }) => position),
      placed.map(({ ordinal }) => ordinal),
    ]),
  ]);
}
