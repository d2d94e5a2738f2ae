import type { Context, Services } from "../../platform/record/context.ts";
import { updateField } from "../accounts/custom-fields/index.ts";
import { getPipeline, updatePipeline } from "../accounts/pipelines/index.ts";
import { createTemplate, updateTemplate } from "../accounts/templates/index.ts";
import { createSnapshot, createVersion } from "../snapshots/catalogue/index.ts";
import { deployToClient, installedRecords } from "../snapshots/deployments/index.ts";
import { createRollout, nextRollouts, workRollout } from "../snapshots/rollouts/index.ts";
import type { Step } from "./demo.ts";
import { DEMO_DEPLOYED, DEMO_DRIFT, DEMO_ROLLOUTS, DEMO_SNAPSHOT } from "./snapshots.demo.ts";

/** The snapshot of the demo partner with its versions, and the clients that run it. */
export function snapshotSteps(clients: ReadonlyMap<string, string>): Step[] {
  const { name, description, versions } = DEMO_SNAPSHOT;
  let snapshot_id = "";
  return [
    ...versions.map(({ days_ago, changelog, assets }, index) => ({
      days_ago,
      async act(ctx: Context) {
        const manifest = { format: 1, assets: [...assets] };
        if (index > 0) await createVersion(ctx, snapshot_id, { manifest, ...(changelog === null ? {} : { changelog }) });
        else ({ id: snapshot_id } = await createSnapshot(ctx, { name, description, manifest }));
      },
    })),
    ...DEMO_DEPLOYED.map(({ company, version, days_ago }) => ({
      days_ago,
      act: (ctx: Context) => deployToClient(ctx, clients.get(company) ?? "", { snapshot_id, version }),
    })),
    ...rolloutSteps(clients, () => snapshot_id),
    { days_ago: DEMO_DRIFT.days_ago, act: (ctx) => drift(ctx, clients.get(DEMO_DRIFT.company) ?? "", snapshot_id) },
  ];
}

/** A rollout that halts at its canary, and the one that followed. */
function rolloutSteps(clients: ReadonlyMap<string, string>, snapshot_id: () => string): Step[] {
  const { version, companies, canary, obstacle } = DEMO_ROLLOUTS;
  const idOf = (company: string) => clients.get(company) ?? "";
  let template_id = "";
  const rollOut = (conflict_policy: "fail" | "merge") => async (ctx: Context, services: Services) => {
    const target = { client_ids: companies.map(idOf) };
    await createRollout(ctx, snapshot_id(), { target, version, conflict_policy, canary: { client_ids: [idOf(canary)] } });
    await finish(services, ctx.scope.partner_id);
  };
  return [
    {
      days_ago: obstacle.days_ago,
      act: async (ctx) => ({ id: template_id } = await createTemplate(ctx, { ...obstacle.template, account_id: idOf(canary) })),
    },
    { days_ago: DEMO_ROLLOUTS.halted_days_ago, act: rollOut("fail") },
    { days_ago: obstacle.renamed.days_ago, act: (ctx) => updateTemplate(ctx, template_id, { name: obstacle.renamed.name }) },
    { days_ago: DEMO_ROLLOUTS.completed_days_ago, act: rollOut("merge") },
  ];
}

/** Works on the rollouts of a partner as the worker does, until none is left to work on. */
async function finish(services: Services, partner_id: string): Promise<void> {
  const next = async () => (await nextRollouts(services.db)).find((one) => one.partner_id === partner_id);
  const unexpected = (error: unknown) => {
    throw error;
  };
  for (let rollout = await next(); rollout !== undefined; rollout = await next())
    await workRollout(services, rollout, unexpected);
}

/** A client renames a stage and a field that the snapshot brought. */
async function drift(ctx: Context, client_id: string, snapshot_id: string): Promise<void> {
  const records = await installedRecords(ctx.db, ctx.scope, client_id, snapshot_id);
  const [pipeline, field] = [records["pipeline/consultations"], records[`custom_field/${DEMO_DRIFT.field.key}`]];
  if (pipeline === undefined || field === undefined) throw new Error("the snapshot has brought them");
  const stage_id = pipeline.parts[DEMO_DRIFT.stage.key];
  const { stages } = await getPipeline(ctx, pipeline.id);
  const { name } = DEMO_DRIFT.stage;
  await updatePipeline(ctx, pipeline.id, {
    stages: stages.map((stage) => (stage.id === stage_id ? { ...stage, name } : stage)),
  });
  await updateField(ctx, field.id, { label: DEMO_DRIFT.field.label });
}
