import { takeTurn } from "../../../../platform/db/turn.ts";
import { type Context, createContext, type Services } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import type { IncomingStatus, OpenChannel } from "../../channels/index.ts";
import { forward, isHandedOver, isWaiting } from "./model.ts";
import {
  deleteSend,
  insertParked,
  insertSend,
  type MessageError,
  type MessageKey,
  messageByProviderIdOrNull,
  messageForUpdateOrNull,
  type NewSend,
  type Report,
  type SavedStatus,
  type StatusRow,
  saveMessageStatus,
  saveProviderId,
} from "./queries.ts";
import { denyRecipient } from "./recipient.commands.ts";

/** Queues a message in the transaction that made it: it is sent from `at` on, if that commits. */
export function enqueue(tx: Tx, message: NewSend, at: Date): void {
  insertSend(tx, message, at);
  if (at <= tx.now) tx.wakeChannel(message.partner_id, message.channel_id);
}

/** Cancels a message that nobody has begun to send; null where it is too late. The caller records the change. */
export async function cancelSend(
  tx: Tx,
  { partner_id, id }: MessageKey,
): Promise<{ id: string; account_id: string; version: number } | null> {
  const message = await messageForUpdateOrNull(tx, partner_id, id);
  if (message === null || !isWaiting(message.status)) return null;
  await deleteSend(tx, message);
  const version = await saveMessageStatus(tx, message, { status: "cancelled", status_at: tx.now, error: null });
  return { id, account_id: message.account_id, version };
}

/**
 * Notes what a provider reports. A report of a message that nobody knows is parked: it may have come before the answer to the
 * call that sent it. Both take a turn of the provider's id, so that no report is left behind.
 */
export async function settleStatus(services: Services, channel: OpenChannel, status: IncomingStatus): Promise<void> {
  const { partner_id, id: channel_id } = channel;
  const { provider_id, at, code = null, detail = null, opted_out = false } = status;
  const report: Report = { status: status.status, at, code, detail, opted_out };
  const ctx = createContext(services, { principal: { type: "system", partner_id, as: { type: "channel", id: channel_id } } });
  await ctx.tx(async (tx) => {
    await takeTurnOf(tx, channel_id, provider_id);
    const message = await reportedMessageOrNull(tx, channel, status);
    if (message === null) return insertParked(tx, partner_id, channel_id, provider_id, report, tx.now);
    // A message that was sent twice has failed only if the copy did that it is known by.
    const of_another_copy = message.provider_id !== null && message.provider_id !== provider_id;
    if (of_another_copy && report.status === "failed") return;
    await applyReports(ctx, tx, message, provider_id, [report]);
  });
}

export function takeTurnOf(tx: Tx, channel_id: string, provider_id: string): Promise<void> {
  return takeTurn(tx, `message ${channel_id} ${provider_id}`);
}

async function reportedMessageOrNull(tx: Tx, channel: OpenChannel, status: IncomingStatus): Promise<StatusRow | null> {
  const { partner_id, id: channel_id } = channel;
  const known = await messageByProviderIdOrNull(tx, partner_id, channel_id, status.provider_id);
  if (known !== null || status.message_id === undefined) return known;
  const named = await messageForUpdateOrNull(tx, partner_id, status.message_id);
  return named?.channel_id === channel_id ? named : null;
}

/** Brings a locked message as far forward as reports say. What a provider has, or has failed, is not sent again. */
export async function applyReports(
  ctx: Context,
  tx: Tx,
  message: StatusRow,
  provider_id: string | null,
  reports: readonly Report[],
): Promise<void> {
  const named = provider_id === null ? null : await saveProviderId(tx, message, provider_id);
  const best = reports.reduce<Report | null>(
    (best, report) => (forward(best?.status ?? message.status, report.status) ? report : best),
    null,
  );
  if (best !== null) {
    const status_at = best.at > tx.now ? tx.now : best.at;
    await moveMessage(tx, message, { status: best.status, status_at, error: best.status === "failed" ? errorOf(best) : null });
  } else if (named !== null) noteChange(tx, message, named);
  if (reports.some(({ opted_out }) => opted_out)) await denyRecipient(ctx, tx, message);
}

function errorOf({ code, detail }: Report): MessageError {
  return { code: code ?? "failed", detail: detail ?? "The provider reported a failure." };
}

/** Gives a locked message another status. It leaves the queue when it is with the provider, or given up. */
export async function moveMessage(tx: Tx, message: StatusRow, saved: SavedStatus): Promise<void> {
  const version = await saveMessageStatus(tx, message, saved);
  if (isHandedOver(saved.status)) await deleteSend(tx, message);
  noteChange(tx, message, version);
}

function noteChange(tx: Tx, message: StatusRow, version: number): void {
  const { id, account_id } = message;
  recordChange(tx, message, { resource: "message", change: "updated", id, account_id, version }, null);
}
