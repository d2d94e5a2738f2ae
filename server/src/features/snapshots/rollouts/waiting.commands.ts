import { Refusal } from "../../../kernel/errors.ts";
import { isRetryable, isUnreachable } from "../../../platform/db/connection.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { forgetQueued, lockAccounts } from "../../accounts/clients/index.ts";
import { manifestOf } from "../catalogue/index.ts";
import { claimMember, countAttempt, deployBatch, type Failure, settleMembers } from "../deployments/index.ts";
import { supersededClients } from "./batch.queries.ts";
import { inactiveClients, SUPERSEDED } from "./members.commands.ts";
import { ATTEMPTS_MAX } from "./model.ts";
import { takeWaiting, type Waiting } from "./waiting.queries.ts";

/**
 * Deploys the next of a partner's deployments that are queued without a rollout: snapshots of new clients that have too many assets for the
 * request. One at a time, in their order.
 */
export async function workWaiting(services: Services, partner_id: string, failed: (error: unknown) => void): Promise<boolean> {
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  let claimed: Waiting | null = null;
  try {
    return await ctx.tx(async (tx) => {
      claimed = await takeWaiting(tx, partner_id);
      if (claimed !== null) await deployWaiting(ctx, tx, claimed);
      return claimed !== null;
    });
  } catch (error) {
    const waiting = claimed as Waiting | null;
    if (waiting === null || isUnreachable(error) || isRetryable(error)) throw error;
    failed(error);
    if ((await countAttempt(ctx.db, waiting, waiting.id)) >= ATTEMPTS_MAX) await giveUp(ctx, waiting, error);
    return true;
  }
}

async function deployWaiting(ctx: Context, tx: Tx, waiting: Waiting): Promise<void> {
  const { partner_id, id, client_id, snapshot_id, snapshot_version: version, policy, created_at } = waiting;
  const [inactive, superseded] = await Promise.all([
    inactiveClients(tx, { partner_id, dry_run: false }, [client_id]),
    supersededClients(tx, { partner_id, snapshot_id, created_at, rollout_id: null, first_id: id }, [client_id]),
  ]);
  const reason = inactive.get(client_id) ?? (superseded.has(client_id) ? SUPERSEDED : null);
  if (reason !== null) return settle(tx, waiting, "skipped", reason);
  await deployBatch(ctx, tx, {
    partner_id,
    members: [{ deployment_id: id, client_id }],
    source: { snapshot_id, version, manifest: await manifestOf(tx, partner_id, snapshot_id, version) },
    policy,
    rollout_id: null,
    plan_of: null,
    queued: true,
    created: false,
    dry_run: false,
  });
}

async function giveUp(ctx: Context, waiting: Waiting, error: unknown): Promise<void> {
  const { code, message } = error instanceof Refusal ? error : new Refusal("internal_error");
  await ctx.tx(async (tx) => {
    // Another process may have deployed it meanwhile.
    if ((await claimMember(tx, waiting, waiting.id, "running")).length === 0) return;
    await lockAccounts(tx, { partner_id: waiting.partner_id, clients: "all" }, [waiting.client_id]);
    await settle(tx, waiting, "failed", { code, detail: message });
  });
}

/** Ends a deployment that is not carried out: the client, which is locked, no longer waits for it. */
async function settle(tx: Tx, waiting: Waiting, status: "skipped" | "failed", failure: Failure): Promise<void> {
  const { partner_id, id, client_id, snapshot_id } = waiting;
  await Promise.all([
    settleMembers(tx, partner_id, [{ id, status, failure }]),
    forgetQueued(tx, partner_id, client_id, snapshot_id),
  ]);
}
