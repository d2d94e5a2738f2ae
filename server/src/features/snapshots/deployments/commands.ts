import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf, type TenantScope } from "../../../kernel/principal.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountsWithin, lockAccounts } from "../../accounts/clients/index.ts";
import { admitAccount } from "../../accounts/custom-fields/index.ts";
import { deployableVersion } from "../catalogue/index.ts";
import { settleAccount } from "./apply.commands.ts";
import { deployBatch, type Judged } from "./batch.commands.ts";
import { deploymentOrNull, deploymentsPage } from "./list.queries.ts";
import type { Batch } from "./model.ts";
import type { Plan } from "./plan/model.ts";
import { Moved } from "./plans.commands.ts";
import { plansBy, runningVersion } from "./queries.ts";
import type { Deployment, DeploymentCreate, DeploymentListQuery } from "./schema.ts";

const ATTEMPTS_MAX = 5;

/** A deployment with its steps, as the API shows it. */
export type DeploymentShown = { id?: string; json: string };

/** Deploys a snapshot to a client, or makes the plan of it. What changes nothing leaves the deployment that stands. */
export async function deployToClient(
  ctx: Context,
  client_id: string,
  input: DeploymentCreate,
): Promise<DeploymentShown & { created: boolean }> {
  if (input.dry_run !== true) {
    const deployed = await ctx.tx((tx) => deploy(ctx, tx, client_id, input));
    await settleAccount(ctx, client_id);
    return deployed;
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.tx((tx) => plan(ctx, tx, client_id, input));
    } catch (error) {
      if (!(error instanceof Moved) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function deploy(ctx: Context, tx: Tx, client_id: string, input: DeploymentCreate) {
  const [accounts, running] = await Promise.all([
    lockAccounts(tx, ctx.scope, [client_id]),
    runningVersion(tx, ctx.scope.partner_id, client_id, input.snapshot_id),
  ]);
  for (const { id, status } of accounts) admitAccount(id, status);
  if (accounts.length === 0) notFound(client_id);
  const deployed = await deployOne(ctx, tx, client_id, input, running);
  if (deployed.failure !== null) {
    const { code, detail } = deployed.failure;
    fail(code, { detail, ...(code === "snapshot_conflict" ? { meta: { conflicts: deployed.conflicts } } : {}) });
  }
  const id = deployed.status === "unchanged" ? (deployed.survey.stored?.deployment_id ?? "") : deployed.deployment_id;
  return { ...(await deploymentWithSteps(tx, ctx.scope, id)), created: deployed.status !== "unchanged" };
}

async function plan(ctx: Context, tx: Tx, client_id: string, input: DeploymentCreate) {
  const { partner_id } = ctx.scope;
  const [[account], running] = await Promise.all([
    accountsWithin(tx, ctx.scope, [client_id]),
    runningVersion(tx, partner_id, client_id, input.snapshot_id),
  ]);
  if (account === undefined) return notFound(client_id);
  admitAccount(account.id, account.status);
  const planned = await deployOne(ctx, tx, client_id, input, running);
  if (planned.failure !== null) fail(planned.failure.code, { detail: planned.failure.detail });
  const { plan_hash, conflicts } = planned;
  const { snapshot_id, version, previous_version, conflict_policy, counts, steps } = planned.planned.plan;
  const what = {
    id: null,
    client_id,
    snapshot_id,
    version,
    previous_version,
    rollout_id: null,
    conflict_policy,
    status: "planned",
  };
  const when = { created_by: actorOf(ctx.principal).id, created_at: tx.now.toISOString(), finished_at: null };
  return { json: JSON.stringify({ ...what, plan_hash, conflicts, failure: null, ...when, counts, steps }), created: false };
}

/** A batch of one account. */
async function deployOne(
  ctx: Context,
  tx: Tx,
  client_id: string,
  input: DeploymentCreate,
  running: number | null,
): Promise<Judged> {
  const { snapshot_id, version = null, conflict_policy: policy = "merge", dry_run = false, plan_hash } = input;
  const source = await deployableVersion(tx, ctx.scope, snapshot_id, version, running === null ? "install" : "update");
  const batch: Batch = {
    partner_id: ctx.scope.partner_id,
    members: [{ deployment_id: tx.newId("deployment"), client_id }],
    source,
    policy,
    rollout_id: null,
    plan_of: plan_hash === undefined ? null : new Map([[client_id, plan_hash]]),
    queued: false,
    created: false,
    dry_run,
  };
  return (await deployBatch(ctx, tx, batch))[0] as Judged;
}

export function listDeployments(ctx: Context, query: DeploymentListQuery): Promise<{ json: string }> {
  return deploymentsPage(ctx.db, ctx.scope, query);
}

export function getDeployment(ctx: Context, id: string): Promise<DeploymentShown> {
  return deploymentWithSteps(ctx.db, ctx.scope, id);
}

/** A deployment with the steps of its plan, as long as the plan is kept. */
export async function deploymentWithSteps(db: Queryable, scope: TenantScope, id: string): Promise<DeploymentShown> {
  const { json, ...deployment } = (await deploymentOrNull(db, scope, id)) ?? notFound(id);
  const { plan_hash } = deployment as Deployment;
  const text = plan_hash === null ? undefined : (await plansBy(db, scope.partner_id, [plan_hash])).get(plan_hash);
  const plan = text === undefined ? null : (JSON.parse(text) as { plan: Plan }).plan;
  return { id, json: JSON.stringify({ ...deployment, counts: plan?.counts ?? null, steps: plan?.steps ?? null }) };
}
