import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountsWithin, lockAccounts } from "../../accounts/clients/index.ts";
import { manifestOf } from "../catalogue/index.ts";
import { deployBatch, type Failure, plansOf, type RolloutMember, rollbackBatch, settleMembers } from "../deployments/index.ts";
import { requestOf, supersededClients } from "./batch.queries.ts";
import type { Move } from "./model.ts";
import type { Rollout } from "./queries.ts";

/** Deploys to some members of a rollout that are claimed, or rolls them back. */
export function workMembers(ctx: Context, tx: Tx, rollout: Rollout, members: readonly RolloutMember[]): Promise<Move[]> {
  return rollout.status === "rolling_back"
    ? rollBackMembers(ctx, tx, rollout, members)
    : deployMembers(ctx, tx, rollout, members);
}

const memberOf = ({ id, client_id }: RolloutMember) => ({ deployment_id: id, client_id });

async function deployMembers(ctx: Context, tx: Tx, rollout: Rollout, members: readonly RolloutMember[]): Promise<Move[]> {
  const { partner_id, id, snapshot_id, snapshot_version, policy, dry_run, plan_of } = rollout;
  const client_ids = members.map(({ client_id }) => client_id);
  // In one flight: what is read is read after the accounts were locked.
  const [inactive, superseded, planned, manifest] = await Promise.all([
    inactiveClients(tx, rollout, client_ids),
    supersededClients(tx, requestOf(rollout), client_ids),
    plan_of === null ? null : plansOf(tx, { partner_id, id: plan_of }, client_ids),
    manifestOf(tx, partner_id, snapshot_id, snapshot_version),
  ]);
  const skipped = members.flatMap((member) => {
    const failure = inactive.get(member.client_id) ?? (superseded.has(member.client_id) ? SUPERSEDED : null);
    return failure === null ? [] : [{ ...member, status: "skipped" as const, failure }];
  });
  if (skipped.length > 0) await settleMembers(tx, partner_id, skipped);
  const left = members.filter((member) => !skipped.some((one) => one.id === member.id));
  const outcomes = await deployBatch(ctx, tx, {
    partner_id,
    members: left.map(memberOf),
    source: { snapshot_id, version: snapshot_version, manifest },
    policy,
    rollout_id: id,
    plan_of: planned,
    queued: true,
    created: false,
    dry_run,
  });
  const canary = new Map(members.map((member) => [member.id, member.canary]));
  return [...skipped, ...outcomes.map(({ deployment_id, status }) => ({ id: deployment_id, status }))].map((one) => ({
    from: "queued",
    to: one.status,
    canary: canary.get(one.id) === true,
  }));
}

export const SUPERSEDED: Failure = {
  code: "superseded",
  detail: "A later request has deployed the snapshot to the client, or has rolled it back.",
};

/** The accounts of a batch that take no writes, each with the reason. All of them are locked, except for a dry run. */
export async function inactiveClients(
  tx: Tx,
  { partner_id, dry_run }: Pick<Rollout, "partner_id" | "dry_run">,
  client_ids: readonly string[],
): Promise<Map<string, Failure>> {
  const scope = { partner_id, clients: "all" } as const;
  const accounts = await (dry_run ? accountsWithin : lockAccounts)(tx, scope, client_ids);
  return new Map(
    accounts
      .filter(({ status }) => status === "suspended" || status === "churned")
      .map(({ id, status }) => [id, { code: "client_inactive", detail: `The client ${id} is ${status}.` }]),
  );
}

/** Rolls members back. One that cannot be rolled back keeps its status, and says why. */
async function rollBackMembers(ctx: Context, tx: Tx, rollout: Rollout, members: readonly RolloutMember[]): Promise<Move[]> {
  const { partner_id, snapshot_id } = rollout;
  const client_ids = members.map(({ client_id }) => client_id);
  const inactive = await inactiveClients(tx, rollout, client_ids);
  const left = members.filter(({ client_id }) => !inactive.has(client_id));
  const outcomes = await rollbackBatch(ctx, tx, { partner_id, snapshot_id, members: left.map(memberOf) });
  const kept = [
    ...members.map(({ id, client_id }) => ({ id, failure: inactive.get(client_id) ?? null })),
    ...outcomes.map(({ deployment_id, failure }) => ({ id: deployment_id, failure })),
  ].flatMap(({ id, failure }) => (failure === null ? [] : [{ id, status: null, failure }]));
  if (kept.length > 0) await settleMembers(tx, partner_id, kept);
  const reverted = new Set(outcomes.filter(({ status }) => status === "rolled_back").map(({ deployment_id }) => deployment_id));
  return left.filter(({ id }) => reverted.has(id)).map(({ canary, status }) => ({ from: status, to: "rolled_back", canary }));
}
