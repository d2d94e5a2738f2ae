import { fail, notFound } from "../../../kernel/errors.ts";
import { boundClients } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { lockAccounts, saveInstalled } from "../../accounts/clients/index.ts";
import { canonicalText, hashOf } from "../../accounts/configuring/index.ts";
import { admitAccount } from "../../accounts/custom-fields/index.ts";
import { ASSETS } from "../catalogue/index.ts";
import { applyPlans, conflictsOf, type Result, settleAccount, type Target } from "./apply.commands.ts";
import { type DeploymentShown, deploymentWithSteps } from "./commands.ts";
import { snapshotDeployed } from "./events.ts";
import { type Member, NOT_REVERTIBLE, type NotRevertible, REVERT_DAYS, type RolledBack } from "./model.ts";
import { type Changed, type Install, type Planned, planRollback, type Undo } from "./plan/model.ts";
import { type Planner, planAccounts } from "./plans.commands.ts";
import { translateChanged, translateInstall } from "./positions.model.ts";
import { plansBy, saveInstalls } from "./queries.ts";
import { clientOfLocked, type Revertible, revertiblesOf, saveRolledBack } from "./rollback.queries.ts";
import { type Survey, surveyAccounts } from "./survey.commands.ts";

const REVERT_MS = REVERT_DAYS * 86_400_000;

/** Rolls back one deployment. One that was rolled back before stays as it is. */
export async function rollbackDeployment(ctx: Context, id: string): Promise<DeploymentShown> {
  const { client_id, shown } = await ctx.tx(async (tx) => {
    const { partner_id } = ctx.scope;
    const client_id = (await clientOfLocked(tx, partner_id, id, boundClients(ctx.scope))) ?? notFound(id);
    for (const account of await lockAccounts(tx, ctx.scope, [client_id])) admitAccount(account.id, account.status);
    const revertible = (await revertiblesOf(tx, partner_id, [id])).get(id) ?? notFound(id);
    const members = [{ deployment_id: id, client_id }];
    const [outcome] = await rollbackBatch(ctx, tx, { partner_id, snapshot_id: revertible.snapshot_id, members });
    const { code, detail, reason } = outcome?.failure ?? {};
    if (code !== undefined) fail(code, { detail: `The deployment cannot be rolled back: ${detail}`, meta: { reason } });
    return { client_id, shown: await deploymentWithSteps(tx, ctx.scope, id) };
  });
  await settleAccount(ctx, client_id);
  return shown;
}

/** A deployment that can be rolled back, with its plan; what has ids is in the positions of its account. */
type Reverting = Revertible & { survey: Survey; undo: readonly Undo[]; made: Changed; before: Install | null };

/** Rolls back deployments of one snapshot, each the newest at its account; the accounts are locked and take writes. */
export async function rollbackBatch(
  ctx: Context,
  tx: Tx,
  { partner_id, snapshot_id, members }: { partner_id: string; snapshot_id: string; members: readonly Member[] },
): Promise<RolledBack[]> {
  const of = { partner_id, ids: members.map(({ client_id }) => client_id) };
  const [surveys, revertibles] = await Promise.all([
    surveyAccounts(tx, of, snapshot_id),
    revertiblesOf(
      tx,
      partner_id,
      members.map(({ deployment_id }) => deployment_id),
    ),
  ]);
  const hashes = new Set([...revertibles.values()].flatMap(({ plan_hash }) => plan_hash ?? []));
  const undos = undosIn(await plansBy(tx, partner_id, [...hashes]));
  const reverting: Reverting[] = [];
  const outcomes = members.map((member, index): RolledBack => {
    const survey = surveys[index] as Survey;
    const revertible = revertibles.get(member.deployment_id);
    const undo = undos.get(revertible?.plan_hash ?? "");
    if (revertible?.status === "rolled_back") return { ...member, status: "unchanged", conflicts: [], failure: null };
    const reason = obstacleOf(revertible, undo !== undefined, survey, tx.now);
    if (reason !== null) return refused(member, reason);
    reverting.push(inPositions(revertible as Revertible, undo ?? [], survey));
    return { ...member, status: "rolled_back", conflicts: [], failure: null };
  });
  const conflicts = await revert(ctx, tx, partner_id, snapshot_id, reverting);
  return outcomes.map((outcome) => ({ ...outcome, conflicts: conflicts.get(outcome.client_id) ?? [] }));
}

function undosIn(plans: ReadonlyMap<string, string>): Map<string, Undo[]> {
  return new Map([...plans].map(([hash, text]) => [hash, (JSON.parse(text) as { undo: Undo[] }).undo]));
}

function refused(member: Member, reason: NotRevertible): RolledBack {
  const failure = { code: "deployment_not_revertible", detail: NOT_REVERTIBLE[reason], reason } as const;
  return { ...member, status: "failed", conflicts: [], failure };
}

/** Why a deployment cannot be rolled back, or null. */
function obstacleOf(deployment: Revertible | undefined, planned: boolean, { stored }: Survey, now: Date): NotRevertible | null {
  if (deployment === undefined || (deployment.status !== "succeeded" && deployment.status !== "partial")) return "not_applied";
  if (stored?.deployment_id !== deployment.id) return "superseded";
  const { finished_at, changed } = deployment;
  const recent = finished_at !== null && now.getTime() - finished_at.getTime() <= REVERT_MS;
  return recent && planned && changed !== null ? null : "too_old";
}

function inPositions(deployment: Revertible, undo: readonly Undo[], survey: Survey): Reverting {
  const { previous, changed } = deployment;
  const before = previous && translateInstall({ version: previous.version, entries: previous.entries }, survey.positions.of);
  return { ...deployment, survey, undo, before, made: translateChanged(changed ?? {}, survey.positions.of) };
}

/** Plans and applies rollbacks, and records them. Returns what was left as the clients have it. */
async function revert(ctx: Context, tx: Tx, partner_id: string, snapshot_id: string, reverting: readonly Reverting[]) {
  const surveys = reverting.map(({ survey }) => survey);
  const plans = await planAccounts(ctx, tx, plannerOf(partner_id, snapshot_id, reverting), surveys);
  const targets = surveys.map((survey): Target => ({ survey, planned: plans.get(survey.client_id) as Planned }));
  const conflicts = new Map(targets.map(({ survey, planned }) => [survey.client_id, conflictsOf(planned.plan)]));
  if (targets.length === 0) return conflicts;
  const results = await applyPlans(ctx, tx, partner_id, targets);
  const rows = reverting.map(({ id, client_id }) => ({ id, conflicts: conflicts.get(client_id) ?? [] }));
  await Promise.all([saveRolledBack(tx, partner_id, rows), restore(tx, partner_id, snapshot_id, reverting, results)]);
  return conflicts;
}

function plannerOf(partner_id: string, snapshot_id: string, reverting: readonly Reverting[]): Planner {
  const byClient = new Map(reverting.map((one) => [one.client_id, one]));
  const one = ({ client_id }: Survey) => byClient.get(client_id) as Reverting;
  return {
    partner_id,
    snapshot_id,
    locked: true,
    key(survey) {
      const { plan_hash, made, before } = one(survey);
      return `rollback ${plan_hash} ${hashOf(canonicalText([made, before] as never))}`;
    },
    plan(survey, state, blocks) {
      const { undo, version, made: changed, before: previous } = one(survey);
      const { install, others, state_hash } = survey;
      const circumstances = { assets: ASSETS, snapshot_id, install, others, state, state_hash, blocks };
      return planRollback({ ...circumstances, undo, changed, version, previous });
    },
  };
}

/** Saves what accounts run again, and records it. */
async function restore(
  tx: Tx,
  partner_id: string,
  snapshot_id: string,
  reverting: readonly Reverting[],
  results: readonly Result[],
): Promise<void> {
  const installs = reverting.map(({ client_id, previous }, index) => {
    const { version, entries } = results[index] as Result;
    return { client_id, snapshot_id, version, entries, deployment_id: previous?.deployment_id ?? null };
  });
  const running = installs.map(({ client_id, version }) => ({
    id: client_id,
    snapshot: version === null ? null : { snapshot_id, version, status: "installed" as const },
  }));
  const [versions] = await Promise.all([
    saveInstalled(tx, partner_id, snapshot_id, running),
    saveInstalls(tx, partner_id, installs),
  ]);
  for (const { id: deployment_id, client_id, rollout_id, version, previous } of reverting) {
    const previous_version = previous?.version ?? null;
    const status = "rolled_back";
    const deployed = { partner_id, deployment_id, rollout_id, snapshot_id, client_id, version, previous_version, status };
    const changes = { snapshot_id: { from: null, to: snapshot_id }, version: { from: version, to: previous_version } };
    tx.tell(partner_id, {
      events: [snapshotDeployed(deployed, versions.get(client_id) ?? 1)],
      audits: [{ action: "snapshots.rollback", target: deployment_id, client_id, changes }],
    });
  }
}
