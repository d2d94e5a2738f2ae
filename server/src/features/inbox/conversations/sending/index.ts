import type { Services } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { IncomingStatus, OpenChannel } from "../../channels/index.ts";
import { cancelRow, insertSendRow } from "./queries.ts";

type Sendable = {
  partner_id: string;
  id: string;
  account_id: string;
  conversation_id: string;
  channel_id: string;
  ordinal: number;
};

/** Queues a message for sending. */
export async function enqueue(tx: Tx, message: Sendable, at: Date): Promise<void> {
  await insertSendRow(tx, { ...message, message_id: message.id, next_at: at });
}

/** Recalls a message that waits; null where it is too late. */
export function cancelSend(tx: Tx, message: Sendable) {
  return cancelRow(tx, message.partner_id, message.id);
}

/** Takes what became of a message. */
export async function settleStatus(_services: Services, _channel: OpenChannel, _status: IncomingStatus): Promise<void> {}
