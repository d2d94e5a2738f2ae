import { Refusal } from "../../../kernel/errors.ts";
import { isRetryable, isUnreachable } from "../../../platform/db/connection.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { manifestOf } from "../catalogue/index.ts";
import { countAttempt, deployBatch, settleMembers } from "../deployments/index.ts";
import { inactiveClients } from "./members.commands.ts";
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
  const { partner_id, id, client_id, snapshot_id, snapshot_version: version, policy } = waiting;
  const inactive = (await inactiveClients(tx, { partner_id, dry_run: false }, [client_id])).get(client_id);
  if (inactive !== undefined) return settleMembers(tx, partner_id, [{ id, status: "skipped", failure: inactive }]);
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

function giveUp(ctx: Context, { partner_id, id }: Waiting, error: unknown): Promise<void> {
  const { code, message } = error instanceof Refusal ? error : new Refusal("internal_error");
  return ctx.tx((tx) => settleMembers(tx, partner_id, [{ id, status: "failed", failure: { code, detail: message } }]));
}
