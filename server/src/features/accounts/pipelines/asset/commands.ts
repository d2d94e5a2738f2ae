import type { Hooks } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Accounts, Applied, Asset, Block, Change, NewRecord, Removal } from "../../configuring/index.ts";
import { addPipelinesDue } from "../commands.ts";
import type { Stage } from "../model.ts";
import { type NewPipeline, replaceStages } from "../queries.ts";
import { type PipelineSpec, pipelineRules } from "./model.ts";
import {
  addPipelines,
  archivePipelines,
  clearDefaults,
  deletePipelines,
  pipelineReads,
  restorePipelines,
  stageIdsOf,
} from "./queries.ts";

/** Pipelines in snapshots. A stage that is removed is archived, and so is a pipeline that has ever had a deal. */
export const pipelineAsset: Asset = { ...pipelineRules, ...pipelineReads, blocked, apply };

/** A stage with deals stays, and so does a pipeline with open deals. A plan itself keeps a default. */
async function blocked(
  tx: Tx,
  hooks: Hooks,
  { partner_id }: Accounts,
  removals: ReadonlyMap<string, readonly Removal[]>,
): Promise<Block[]> {
  const all = [...removals].flatMap(([account_id, list]) => list.map((removal) => ({ account_id, ...removal })));
  if (all.length === 0) return [];
  const use = await hooks.stagesInUse(tx, { partner_id }, [...new Set(all.map(({ id }) => id))]);
  return all.flatMap(({ account_id, id, parts }): Block[] => {
    const own = use.filter(({ pipeline_id }) => pipeline_id === id);
    if (parts.length === 0) {
      const count = own.reduce((sum, { open_deals }) => sum + open_deals, 0);
      return count > 0 ? [{ account_id, id, part: null, count }] : [];
    }
    const kept = own.filter(({ stage_id, deals }) => deals > 0 && parts.includes(stage_id));
    return kept.map(({ stage_id, deals }) => ({ account_id, id, part: stage_id, count: deals }));
  });
}

/** Pipelines as changes leave them: new ones, and those that stay. */
type Saved = { added: (NewRecord & { parts: readonly string[] })[]; kept: NewPipeline[]; defaults: string[] };

async function apply(
  tx: Tx,
  { partner_id }: Accounts,
  changes: ReadonlyMap<string, readonly Change[]>,
  hooks: Hooks,
): Promise<Map<string, Applied[]>> {
  const changed = [...changes].filter(([, list]) => list.length > 0).map(([account_id]) => account_id);
  await addPipelinesDue(tx, { partner_id }, changed);
  const saved: Saved = { added: [], kept: [], defaults: [] };
  const applied = new Map(
    [...changes].map(([account_id, list]) => [
      account_id,
      list.flatMap((change) => (change.do === "remove" ? [] : [collect(tx, account_id, change, saved)])),
    ]),
  );
  const removed = [...changes.values()].flat().filter((change) => change.do === "remove");
  const unmade = removed.filter((change) => change.unmade).map(({ id }) => id);
  const unused = await pipelinesNeverUsed(tx, hooks, partner_id, unmade);
  const gone = removed.map(({ id }) => id).filter((id) => !unused.includes(id));
  await save(tx, partner_id, saved, gone, unused);
  return applied;
}

/** Collects a pipeline as a change leaves it. Stages that the account does not have yet get their ids. */
function collect(tx: Tx, account_id: string, change: Exclude<Change, { do: "remove" }>, saved: Saved): Applied {
  const { key, to } = change;
  const { name, is_default, rules, stages } = to as PipelineSpec;
  if (is_default) saved.defaults.push(account_id);
  if (change.do === "create") {
    const id = tx.newId("pipeline");
    const parts = stages.map(() => tx.newId("stage"));
    saved.added.push({ id, account_id, key, to, parts });
    return { key, id, parts };
  }
  const placed = stages.map((stage, index): Stage => ({ ...stage, id: change.parts[index] ?? tx.newId("stage") }));
  saved.kept.push({ id: change.id, account_id, name, is_default, rules, stages: placed });
  return { key, id: change.id, parts: placed.map(({ id }) => id) };
}

async function pipelinesNeverUsed(tx: Tx, hooks: Hooks, partner_id: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const stages = await stageIdsOf(tx, partner_id, ids);
  const used = new Set(await hooks.stagesEverUsed(tx, { partner_id }, [...stages.values()].flat()));
  return ids.filter((id) => !stages.get(id)?.some((stage) => used.has(stage)));
}

/** All that changes is archived first and what stays is restored, so pipelines may swap their names and pass on the default. */
async function save(
  tx: Tx,
  partner_id: string,
  { added, kept, defaults }: Saved,
  gone: readonly string[],
  unused: readonly string[],
) {
  const archived = [...gone, ...kept.map(({ id }) => id)];
  await Promise.all([
    ...(unused.length > 0 ? [deletePipelines(tx, partner_id, unused)] : []),
    ...(archived.length > 0 ? [archivePipelines(tx, partner_id, archived)] : []),
    ...(defaults.length > 0 ? [clearDefaults(tx, partner_id, defaults)] : []),
    ...(kept.length > 0 ? [restorePipelines(tx, partner_id, kept), replaceStages(tx, { partner_id }, kept)] : []),
    ...(added.length > 0 ? [addPipelines(tx, partner_id, added)] : []),
  ]);
}
