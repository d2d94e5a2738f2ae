/** The statuses of a message that is sent, each with its rank: a message goes only from a lower rank to a higher one. */
export const RANK = {
  scheduled: 0,
  queued: 1,
  cancelled: 2,
  sending: 3,
  sent: 4,
  /** Below the proofs of delivery, which are true whatever was reported before them. */
  failed: 5,
  delivered: 6,
  read: 7,
} as const;

export type SendStatus = keyof typeof RANK;

/** What a provider reports of a message that it has. */
export const REPORTED = ["sent", "delivered", "read", "failed"] as const;
export type Reported = (typeof REPORTED)[number];

/** Whether a message goes from one status to another. The order in which reports arrive makes no difference to where it ends. */
export function forward(from: string, to: SendStatus): boolean {
  if (!isSendStatus(from) || from === "cancelled") return false;
  return RANK[to] > RANK[from];
}

function isSendStatus(status: string): status is SendStatus {
  return Object.hasOwn(RANK, status);
}

/** A message that nobody has handed over yet: it can be cancelled. */
export const isWaiting = (status: string) => status === "scheduled" || status === "queued";

/** A message that a provider has, or that is given up: it is not sent again. */
export const isHandedOver = (status: string) => isSendStatus(status) && RANK[status] >= RANK.sent;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How long after each failed attempt the next one comes. */
export const SEND_RETRIES_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/** How long a process may have a message before others take it for dead. Every call of a provider is shorter. */
export const CLAIM_MS = MINUTE_MS;
/** The longest call of a provider. */
export const CALL_MS = 45 * SECOND_MS;
/** What waits longer for its next attempt is overtaken by later messages of its conversation. */
export const OVERTAKE_MS = MINUTE_MS;
/** How long a message whose process died waits for a report of the provider, where nobody can be asked. */
export const AWAIT_STATUS_MS = 2 * MINUTE_MS;
/** How long reports are kept of messages that nobody knows. */
export const KEEP_PARKED_MS = 3 * 24 * HOUR_MS;

/** The tokens of a channel: its rate, with three seconds of it at once. */
export const limitOf = (per_minute: number) => ({ per_minute, burst: Math.max(1, Math.ceil(per_minute / 20)) });

/** What has been sent automatically before, and whether the last message of the person was a machine's. */
export type Automatic = { in_conversation: number; to_address: number; answers_machine: boolean };

/** Two machines that answer each other would never stop: so many e-mails in a conversation and hour, and to an address and day. */
export const AUTOMATIC_PER_HOUR = 5;
export const AUTOMATIC_PER_DAY = 20;

/** Why an e-mail that a machine wrote is not sent; null if it is. */
export function automaticRefusal({ in_conversation, to_address, answers_machine }: Automatic) {
  if (answers_machine) return { code: "automatic_reply", detail: "The message that it answers was written by a machine." };
  if (in_conversation < AUTOMATIC_PER_HOUR && to_address < AUTOMATIC_PER_DAY) return null;
  const limits = `${AUTOMATIC_PER_HOUR} to a conversation in an hour, ${AUTOMATIC_PER_DAY} to an address in a day`;
  return { code: "automatic_limit", detail: `The limit of automatic e-mails is reached: ${limits}.` };
}
