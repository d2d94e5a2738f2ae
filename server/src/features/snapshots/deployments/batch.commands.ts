import { actorOf } from "../../../kernel/principal.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { saveInstalled } from "../../accounts/clients/index.ts";
import { ASSETS, type Manifest, manifestOf } from "../catalogue/index.ts";
import { applyPlans, conflictsOf, type Result, type Target } from "./apply.commands.ts";
import { snapshotDeployed } from "./events.ts";
import type { Batch, Member, Outcome } from "./model.ts";
import { type Planned, planFor } from "./plan/model.ts";
import { isEmpty, type Planner, planAccounts } from "./plans.commands.ts";
import { type DeploymentRow, saveDeployments, saveInstalls, savePlans } from "./queries.ts";
import { type Survey, surveyAccounts } from "./survey.commands.ts";

/** A member with its plan, and what becomes of it. */
export type Judged = Target & Outcome;

/** Deploys a version to some accounts, which are locked and take writes: about as many statements for all as for one. */
export async function deployBatch(ctx: Context, tx: Tx, batch: Batch): Promise<Judged[]> {
  const { partner_id, members, source } = batch;
  const of = { partner_id, ids: members.map(({ client_id }) => client_id) };
  const surveys = await surveyAccounts(tx, of, source.snapshot_id);
  const plans = await planAccounts(ctx, tx, await plannerOf(tx, batch, surveys), surveys);
  const judged = members.map((member, index) => {
    const survey = surveys[index] as Survey;
    return judge(batch, member, { survey, planned: plans.get(member.client_id) as Planned });
  });
  const targets = judged.filter(({ status }) => status === "succeeded" || status === "partial");
  const results = await applyPlans(ctx, tx, partner_id, targets);
  await Promise.all([
    store(ctx, tx, batch, judged, results),
    ...(targets.length === 0 ? [] : [install(tx, batch, targets, results)]),
  ]);
  return judged;
}

async function plannerOf(db: Queryable, batch: Batch, surveys: readonly Survey[]): Promise<Planner> {
  const { partner_id, source, policy } = batch;
  const { snapshot_id, version, manifest } = source;
  const manifests = await manifestsOf(db, partner_id, snapshot_id, surveys);
  const bases = (base: number) => (base === version ? manifest : (manifests.get(base) as Manifest));
  return {
    partner_id,
    snapshot_id,
    locked: !batch.dry_run,
    key: () => `${snapshot_id} ${version} ${policy}`,
    plan: ({ install, others, state_hash }, state, blocks) =>
      planFor({ assets: ASSETS, snapshot_id, version, manifest, bases, install, others, state, state_hash, blocks, policy }),
  };
}

/** The manifests of the versions that some accounts have records of. */
export async function manifestsOf(db: Queryable, partner_id: string, snapshot_id: string, surveys: readonly Survey[]) {
  const entries = surveys.flatMap(({ install }) => Object.values(install?.entries ?? {}));
  const versions = new Set(entries.flatMap(({ base, held = {} }) => [base, ...Object.values(held)]));
  const load = async (version: number) => [version, await manifestOf(db, partner_id, snapshot_id, version)] as const;
  return new Map(await Promise.all([...versions].map(load)));
}

/** What becomes of a member, before anything is written. */
function judge({ policy, plan_of, dry_run }: Batch, member: Member, target: Target): Judged {
  const { survey, planned } = target;
  const conflicts = conflictsOf(planned.plan);
  const outcome = { ...member, ...target, plan_hash: planned.plan_hash, conflicts, failure: null };
  if (plan_of !== null && plan_of.get(member.client_id) !== planned.plan_hash) {
    const detail = "The plan has changed since: the account or the snapshot is not as it was.";
    return { ...outcome, status: "failed", failure: { code: "plan_stale", detail } };
  }
  if (dry_run) return { ...outcome, status: "planned" };
  if (policy === "fail" && conflicts.length > 0) {
    const detail = `The account conflicts with the snapshot in ${conflicts.length} ${conflicts.length === 1 ? "place" : "places"}.`;
    return { ...outcome, status: "failed", failure: { code: "snapshot_conflict", detail } };
  }
  if (isEmpty(survey, planned)) return { ...outcome, status: "unchanged" };
  return { ...outcome, status: conflicts.length > 0 ? "partial" : "succeeded" };
}

/** Stores deployments with their plans: those that were queued whatever became of them, others only if they changed something. */
async function store(ctx: Context, tx: Tx, batch: Batch, judged: readonly Judged[], results: ReadonlyMap<string, Result>) {
  const { partner_id, source, policy, rollout_id } = batch;
  const stored = judged.filter(({ client_id }) => batch.queued || results.has(client_id));
  if (stored.length === 0) return;
  const plans = new Map(stored.map(({ plan_hash, planned: { plan, undo } }) => [plan_hash, { plan, undo }]));
  const rows = stored.map((one): DeploymentRow => {
    const result = results.get(one.client_id);
    return {
      id: one.deployment_id,
      client_id: one.client_id,
      previous_version: one.survey.stored?.version ?? null,
      status: one.status,
      plan_hash: one.plan_hash,
      changed: result?.changed ?? null,
      previous: result === undefined ? null : one.survey.stored,
      conflicts: one.conflicts,
      failure: one.failure,
    };
  });
  const common = { partner_id, snapshot_id: source.snapshot_id, version: source.version, rollout_id, policy };
  await Promise.all([
    savePlans(tx, partner_id, plans),
    saveDeployments(tx, { ...common, created_by: actorOf(ctx.principal).id }, rows),
  ]);
}

/** Saves what accounts run from now on, and records it. */
async function install(tx: Tx, batch: Batch, targets: readonly Judged[], results: ReadonlyMap<string, Result>): Promise<void> {
  const { partner_id, rollout_id, source } = batch;
  const { snapshot_id, version } = source;
  const installs = targets.map(({ client_id, deployment_id }) => ({
    client_id,
    deployment_id,
    ...(results.get(client_id) as Result).install,
  }));
  const snapshot = { snapshot_id, version, status: "installed" as const };
  const running = targets.map(({ client_id }) => ({ id: client_id, snapshot }));
  const [versions] = await Promise.all([
    batch.created ? new Map<string, number>() : saveInstalled(tx, partner_id, snapshot_id, running),
    saveInstalls(tx, partner_id, snapshot_id, installs),
  ]);
  for (const { client_id, deployment_id, status, survey } of targets) {
    const previous_version = survey.stored?.version ?? null;
    const deployed = { partner_id, deployment_id, rollout_id, snapshot_id, client_id, version, previous_version, status };
    const changes = { snapshot_id: { from: null, to: snapshot_id }, version: { from: previous_version, to: version } };
    tx.tell(partner_id, {
      events: [snapshotDeployed(deployed, versions.get(client_id) ?? 1)],
      audits: [{ action: "snapshots.deploy", target: deployment_id, client_id, changes }],
    });
  }
}
