import { fail, notFound } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { lockAccounts, saveQueued } from "../../accounts/clients/index.ts";
import { admitAccount } from "../../accounts/custom-fields/index.ts";
import { type DeploymentShown, deploymentWithSteps } from "./commands.ts";
import { requeueDeployment, retriableOrNull } from "./retry.queries.ts";

/** Queues a deployment again that has failed or was skipped. One that is queued stays so. Members of a rollout are its own affair. */
export function retryDeployment(ctx: Context, id: string): Promise<DeploymentShown> {
  return ctx.tx(async (tx) => {
    const { partner_id } = ctx.scope;
    const { client_id, snapshot_id, version, rollout_id, status } = (await retriableOrNull(tx, ctx.scope, id)) ?? notFound(id);
    if (status === "queued") return deploymentWithSteps(tx, ctx.scope, id);
    if (rollout_id !== null) refuse(status, `The deployment is part of the rollout ${rollout_id}: retry that one.`);
    if (status !== "failed" && status !== "skipped") refuse(status, `The deployment is ${status}.`);
    for (const account of await lockAccounts(tx, ctx.scope, [client_id])) admitAccount(account.id, account.status);
    await Promise.all([
      requeueDeployment(tx, partner_id, id),
      saveQueued(tx, partner_id, client_id, { snapshot_id, version, status: "queued" }),
    ]);
    const changes = { status: { from: status, to: "queued" } };
    record(tx, ctx.scope, [], { action: "snapshots.retry", target: id, client_id, changes });
    return deploymentWithSteps(tx, ctx.scope, id);
  });
}

function refuse(from: string, detail: string): never {
  fail("invalid_state_transition", { detail, meta: { from, to: "queued", allowed: [] } });
}
