import { fail, notFound } from "../../../kernel/errors.ts";
import { PREFIXES, timeOfId } from "../../../kernel/ids.ts";
import { decodeCursor, LIMIT_DEFAULT } from "../../../kernel/page.ts";
import { requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { type Account, accountForChange, accountForNew } from "../custom-fields/index.ts";
import {
  FIRST_PIPELINE,
  FIRST_STAGES,
  firstPipelineId,
  firstStageId,
  NO_RULES,
  PIPELINE_FIELDS,
  PIPELINES_MAX,
  type Pipeline,
  stagesAfter,
  validateStages,
} from "./model.ts";
import {
  accountsDue,
  addToPipelines,
  insertDefaultPipelines,
  lockPipelines,
  pipelineForShareOrNull,
  pipelineIdByNameOrNull,
  pipelineList,
  pipelineOrNull,
  pipelinesPage,
  savePipeline,
  takeDue,
} from "./queries.ts";
import type { PipelineCreate, PipelineListQuery, PipelinePatch } from "./schema.ts";

const AUDITED = [...PIPELINE_FIELDS, "stages"] as const;

/** Adds the default pipelines of accounts that have none yet. */
export async function addDefaultPipelines(
  tx: Queryable,
  scope: Pick<TenantScope, "partner_id">,
  accounts: readonly string[],
): Promise<void> {
  const pipelines = accounts.map((account_id) => {
    const created_ms = timeOfId(account_id);
    let made = 0;
    const stages = stagesAfter([], FIRST_STAGES, () => firstStageId(account_id, made++));
    return { ...FIRST_PIPELINE, id: firstPipelineId(account_id), account_id, stages, at: new Date(created_ms) };
  });
  await Promise.all([takeDue(tx, scope, accounts), insertDefaultPipelines(tx, scope, pipelines)]);
}

/** Adds the default pipelines that are due in some accounts. */
export async function addPipelinesDue(
  tx: Queryable,
  scope: Pick<TenantScope, "partner_id">,
  accounts: readonly string[],
): Promise<void> {
  const due = await accountsDue(tx, scope, { accounts, before: null, limit: accounts.length });
  if (due.length > 0) await addDefaultPipelines(tx, scope, due);
}

/** A page of pipelines. The default ones that it shows are created first, if nobody has used them yet: at most as many as it shows. */
export async function listPipelines(ctx: Context, query: PipelineListQuery): Promise<{ json: string }> {
  const { account_id, archived = false, limit = LIMIT_DEFAULT, cursor } = query;
  const position = cursor === undefined ? null : String(decodeCursor(pipelineList(query), cursor, ["string"])[0]);
  const before = position?.replace(`${PREFIXES.pipeline}_`, `${PREFIXES.client}_`) ?? null;
  const accounts = requestedAccounts(ctx.scope, account_id);
  const due = archived ? [] : await accountsDue(ctx.db, ctx.scope, { accounts, before, limit: limit + 1 });
  if (due.length > 0) {
    await ctx.db.transaction(() => ({
      open: async () => undefined,
      run: (tx) => addDefaultPipelines(tx, ctx.scope, due),
      close: () => [],
    }));
  }
  return pipelinesPage(ctx.db, ctx.scope, query);
}

export function createPipeline(ctx: Context, input: PipelineCreate): Promise<Pipeline> {
  return ctx.tx(async (tx) => addPipeline(ctx, tx, await accountForNew(ctx, tx, "deal", input.account_id), input));
}

/** Adds a pipeline to an account that takes changes. */
export async function addPipeline(ctx: Context, tx: Tx, account: Account, input: PipelineCreate): Promise<Pipeline> {
  const { name, stages = FIRST_STAGES, rules, is_default = false } = input;
  validateStages([], stages, account.fields);
  await addPipelinesDue(tx, ctx.scope, [account.id]);
  refuseTooMany(await lockPipelines(tx, ctx.scope, account.id, null));
  const saved = await addToPipelines(tx, ctx.scope, {
    id: tx.newId("pipeline"),
    account_id: account.id,
    name,
    is_default,
    rules: { ...NO_RULES, ...rules },
    stages: stagesAfter([], stages, () => tx.newId("stage")),
  });
  if (saved === null) return refuseDuplicate(name, await pipelineIdByNameOrNull(tx, ctx.scope, account.id, name, null));
  const changes = changesBetween<Partial<Pipeline>>({ is_default: false, archived: false, rules: NO_RULES }, saved, AUDITED);
  record(tx, ctx.scope, [], { action: "pipelines.create", target: saved.id, client_id: account.id, changes });
  return saved;
}

export async function getPipeline(ctx: Context, id: string): Promise<Pipeline> {
  return (await pipelineOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/** A pipeline for the deals of an account, by default its default one, locked for share until the transaction ends. */
export async function pipelineFor(ctx: Context, tx: Tx, account_id: string, id: string | null): Promise<Pipeline> {
  const pipeline = await pipelineForShareOrNull(tx, ctx.scope, account_id, id);
  if (pipeline !== null) return pipeline;
  if (id === null) {
    await addDefaultPipelines(tx, ctx.scope, [account_id]);
    const added = await pipelineForShareOrNull(tx, ctx.scope, account_id, null);
    if (added !== null) return added;
  }
  const detail = `The pipeline ${id} was not found in this account.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/pipeline_id", code: "unknown_pipeline", detail }] });
}

/** Changes a definition. A stage that is left out of the list is archived, unless it has deals. */
export function updatePipeline(ctx: Context, id: string, patch: PipelinePatch): Promise<Pipeline> {
  return ctx.tx(async (tx) => {
    const { account_id } = (await pipelineOrNull(tx, ctx.scope, id)) ?? notFound(id);
    const account = await accountForChange(ctx, tx, "deal", account_id);
    const others = await lockPipelines(tx, ctx.scope, account_id, id);
    const before = (await pipelineOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, before);
    if (patch.stages !== undefined) validateStages(before.stages, patch.stages, account.fields);
    const stages = patch.stages === undefined ? null : stagesAfter(before.stages, patch.stages, () => tx.newId("stage"));
    const after = { ...before, ...patch, rules: { ...before.rules, ...patch.rules }, stages: stages ?? before.stages };
    const changes = changesBetween<Pipeline>(before, after, AUDITED);
    if (Object.keys(changes).length === 0) return before;
    if (before.archived && !after.archived) refuseTooMany(others);
    await refuseInUse(ctx, tx, before, after);
    const saved = await savePipeline(tx, ctx.scope, after, stages);
    if (saved === null)
      return refuseDuplicate(after.name, await pipelineIdByNameOrNull(tx, ctx.scope, account_id, after.name, id));
    record(tx, ctx.scope, [], { action: "pipelines.update", target: id, client_id: account_id, changes });
    return saved;
  });
}

/** Refuses to archive a stage with deals, a pipeline with open deals, or the default pipeline. */
async function refuseInUse(ctx: Context, tx: Tx, before: Pipeline, after: Pipeline): Promise<void> {
  if (before.is_default && !after.is_default)
    refuseDefault("The default pipeline cannot stop being the default. Make another pipeline the default instead.");
  if (after.is_default && after.archived)
    refuseDefault("The default pipeline cannot be archived. Make another pipeline the default first.");
  const removed = before.stages.filter(({ id }) => !after.stages.some((stage) => stage.id === id));
  const closes = after.archived && !before.archived;
  if (removed.length === 0 && !closes) return;
  const use = await ctx.hooks.stagesInUse(tx, ctx.scope, [before.id]);
  const dealsIn = (id: string) => use.find(({ stage_id }) => stage_id === id)?.deals ?? 0;
  const stages = removed.map(({ id, name }) => ({ id, name, deals: dealsIn(id) })).filter(({ deals }) => deals > 0);
  if (stages.length > 0) {
    const counts = stages.map(({ name, deals }) => `${deals} in ${name}`).join(", ");
    fail("resource_in_use", {
      detail: `Stages that are left out have deals: ${counts}. Move the deals first.`,
      meta: { stages },
    });
  }
  const open_deals = use.reduce((sum, one) => sum + one.open_deals, 0);
  if (closes && open_deals > 0)
    fail("resource_in_use", {
      detail: `The pipeline has ${open_deals} open deals. Close or move them first.`,
      meta: { open_deals },
    });
}

function refuseDefault(detail: string): never {
  fail("resource_in_use", { detail });
}

function refuseTooMany(others: number): void {
  if (others >= PIPELINES_MAX) fail("validation_failed", { detail: `An account has at most ${PIPELINES_MAX} pipelines.` });
}

/** The database folds case by its own locale, so it may find duplicate stage names that `validateStages` does not. */
function refuseDuplicate(name: string, existing_id: string | null): never {
  if (existing_id !== null)
    fail("duplicate_pipeline", { detail: `Another pipeline has the name ${name}.`, meta: { existing_id } });
  const detail = "Two stages have the same name.";
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/stages", code: "duplicate_stage", detail }] });
}
