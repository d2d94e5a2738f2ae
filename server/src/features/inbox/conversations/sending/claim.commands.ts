import { retryDelayMs } from "../../../../platform/delivery/backoff.ts";
import type { Limiter } from "../../../../platform/limits/limiter.ts";
import { createContext, type Services } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { type Adapter, adapterOf, type OpenChannel, openChannel } from "../../channels/index.ts";
import { claimSend, type DueSend, insertAttempt, nextSendOrNull, postponeSend, shareChannel, statesOf } from "./claim.queries.ts";
import { moveMessage } from "./commands.ts";
import { forward, isHandedOver, limitOf } from "./model.ts";
import type { SendingOptions } from "./options.ts";
import { deleteSend, type MessageError } from "./queries.ts";
import { refusalOf } from "./recipient.commands.ts";

/** A message that this process has to itself until a time. */
export type Claimed = {
  claim: string;
  channel: OpenChannel;
  adapter: Adapter;
  message: DueSend;
  /** The number of this attempt. */
  attempt: number;
  /** Whether an attempt before may have reached the provider, and the provider can be asked. */
  unsure: boolean;
};

/** What a look for the next message of a channel found. */
export type Turn =
  | { found: "message"; claimed: Claimed }
  /** A message that needed no call: it was refused, or given back to the queue. */
  | { found: "settled" }
  | { found: "nothing" }
  /** The channel does not send at present, or has used up its rate for a while. */
  | { found: "parked" }
  | { found: "limited"; wait_ms: number };

export type Claiming = {
  services: Services;
  limiter: Limiter;
  options: SendingOptions;
  /** Once aborted, nothing more is claimed. */
  stopping: AbortSignal;
};

/**
 * Claims the next message of a channel, and marks it before the provider sees it. Whether it may be sent is looked at again: since
 * it was queued, the person may have withdrawn, and the account may have been suspended.
 */
export function claimNext(
  { services, limiter, options, stopping }: Claiming,
  place: { partner_id: string; channel_id: string },
  claim: string,
): Promise<Turn> {
  const { partner_id, channel_id } = place;
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  return ctx.tx(async (tx): Promise<Turn> => {
    const now_ms = tx.now.getTime();
    const [, channel] = await Promise.all([
      shareChannel(tx, partner_id, channel_id),
      openChannel(tx, services.sealer, ctx.scope, channel_id),
    ]);
    if (channel !== null && !(await maySend(tx, channel))) return { found: "parked" };
    const message = await nextSendOrNull(tx, partner_id, channel_id, tx.now, new Date(now_ms + options.overtake_ms));
    if (message === null || stopping.aborted) return { found: "nothing" };
    if (channel === null) return giveUp(tx, message, ARCHIVED);
    const adapter = adapterOf(channel.kind);
    const ran_out = message.claimed_by !== null;
    if (ran_out && (await settleRanOut(tx, message, adapter, options))) return { found: "settled" };
    const refusal = await refusalOf(ctx, tx, channel, adapter, message);
    if (refusal !== null) return giveUp(tx, message, refusal);
    const { admitted, wait_ms } = await limiter.take(`channel ${channel_id}`, limitOf(channel.per_minute));
    if (!admitted) return { found: "limited", wait_ms };
    if (ran_out) await noteLost(tx, message, options);
    await claimSend(tx, message, claim, new Date(now_ms + options.claim_ms));
    if (forward(message.status, "sending")) await moveMessage(tx, message, { status: "sending", status_at: tx.now, error: null });
    const unsure = (ran_out || UNANSWERED.has(message.last_code)) && adapter.confirm !== undefined;
    return { found: "message", claimed: { claim, channel, adapter, message, attempt: message.attempts + 1, unsure } };
  });
}

async function giveUp(tx: Tx, message: DueSend, error: MessageError): Promise<Turn> {
  await moveMessage(tx, message, { status: "failed", status_at: tx.now, error });
  return { found: "settled" };
}

const ARCHIVED = { code: "channel_archived", detail: "The channel was archived before the message could be sent." };

/** What an attempt ended with that may have reached the provider although nobody has heard of it. */
const UNANSWERED: ReadonlySet<string | null> = new Set(["no_answer", "timeout", "unknown"]);

/** Channels that are paused or in error, and accounts and partners that are not active, keep their messages. */
async function maySend(tx: Tx, channel: OpenChannel): Promise<boolean> {
  if (channel.status !== "active") return false;
  const states = await statesOf(tx, channel.partner_id, channel.account_id);
  return states !== null && states.partner === "active" && states.account !== "suspended" && states.account !== "churned";
}

/**
 * A claim ran out: its process died, and nobody knows whether the provider has the message. Where it can be asked, or knows a
 * repeated message by its key, the message goes on at once; else it waits for a report first. Gives whether that is all for now.
 */
async function settleRanOut(tx: Tx, message: DueSend, adapter: Adapter, options: SendingOptions): Promise<boolean> {
  const exhausted = retryDelayMs(message.attempts, options.retry_delays_ms, null) === null;
  if (isHandedOver(message.status)) await deleteSend(tx, message);
  else if (adapter.confirm !== undefined) return false;
  else if (exhausted) await giveUp(tx, message, LOST);
  else if (adapter.capabilities.idempotent) return false;
  else await postponeSend(tx, message, new Date(tx.now.getTime() + options.await_status_ms), message.attempts);
  await noteLost(tx, message, options);
  return true;
}

const LOST = { code: "lost", detail: "The process ended before the provider had answered." };

async function noteLost(tx: Tx, message: DueSend, { claim_ms }: SendingOptions): Promise<void> {
  const started_at = new Date((message.claimed_until ?? tx.now).getTime() - claim_ms);
  await insertAttempt(tx, message, { started_at, duration_ms: claim_ms, outcome: "lost", code: null, detail: LOST.detail });
}
