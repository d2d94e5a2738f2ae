import { retryDelayMs } from "../../../../platform/delivery/backoff.ts";
import { type Context, createContext, type Services } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { noteChannelError } from "../../channels/index.ts";
import type { Attempted } from "./attempt.ts";
import type { Claimed } from "./claim.commands.ts";
import { insertAttempt, isHeld, postponeSend } from "./claim.queries.ts";
import { applyReports, moveMessage, takeTurnOf } from "./commands.ts";
import type { SendingOptions } from "./options.ts";
import { messageForUpdateOrNull, type Report, type StatusRow, takeParked } from "./queries.ts";
import { denyRecipient } from "./recipient.commands.ts";

/**
 * Writes what came of an attempt. That a provider has accepted a message is true whoever says it, so it counts also after the claim
 * has run out and nothing else does.
 */
export function finishAttempt(
  services: Services,
  options: SendingOptions,
  claimed: Claimed,
  attempted: Attempted,
): Promise<void> {
  const { channel, claim } = claimed;
  const { started_at, duration_ms, result } = attempted;
  const { partner_id } = channel;
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  return ctx.tx(async (tx) => {
    if (result.result === "accepted") await takeTurnOf(tx, channel.id, result.provider_id);
    const message = await messageForUpdateOrNull(tx, partner_id, claimed.message.id);
    if (message === null) return;
    const held = await isHeld(tx, message, claim);
    const { code, detail } = "code" in result ? result : { code: null, detail: null };
    await insertAttempt(tx, message, { started_at, duration_ms, outcome: result.result, code, detail });
    if (result.result === "accepted" || result.result === "confirmed") {
      const provider_id = result.result === "accepted" ? result.provider_id : null;
      const parked = provider_id === null ? [] : await takeParked(tx, partner_id, channel.id, provider_id);
      await applyReports(ctx, tx, message, provider_id, [sentAt(tx.now), ...parked]);
    } else if (held) await settleFailure(ctx, tx, options, claimed, message, result);
  });
}

const sentAt = (at: Date): Report => ({ status: "sent", at, code: null, detail: null, opted_out: false });

type Failure = Extract<Attempted["result"], { code: string }>;

/** What becomes of a message that the provider has not taken, as the class of the failure says. */
async function settleFailure(
  ctx: Context,
  tx: Tx,
  options: SendingOptions,
  { channel, attempt }: Claimed,
  message: StatusRow,
  failure: Failure,
): Promise<void> {
  const { result, code, detail } = failure;
  const error = { code, detail };
  if (result === "config") {
    // The one step back: the provider has refused the channel and seen nothing of the message, which can still be cancelled.
    await postponeSend(tx, message, tx.now, attempt - 1);
    await moveMessage(tx, message, { status: "queued", status_at: tx.now, error });
    return noteChannelError(tx, channel, { ...error, at: tx.now }, tx.now);
  }
  const asked_ms = result === "passing" ? (failure.retry_after_ms ?? null) : options.await_status_ms;
  const retried = result === "passing" || result === "unknown";
  const delay_ms = retried ? retryDelayMs(attempt, options.retry_delays_ms, asked_ms) : null;
  if (delay_ms !== null) return postponeSend(tx, message, new Date(tx.now.getTime() + delay_ms), attempt);
  await moveMessage(tx, message, { status: "failed", status_at: tx.now, error });
  if (result === "opted_out") await denyRecipient(ctx, tx, message);
}
