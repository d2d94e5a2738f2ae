import { fail } from "../../../kernel/errors.ts";
import type { ChannelKind } from "../channels/index.ts";

export const CONVERSATION_STATUSES = ["open", "snoozed", "closed"] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

export const PRIORITIES = ["low", "normal", "high", "urgent"] as const;
export const OWNER_KINDS = ["none", "agent", "human"] as const;
export type OwnerKind = (typeof OWNER_KINDS)[number];

/** How long after its end a message of the person reopens a conversation; later it begins another. */
export const REOPEN_WITHIN_MS = 7 * 86_400_000;

/** Who answers. A human without an id is any of them: the conversation waits for a person, and no agent answers it. */
export type Owner = { owner_kind: OwnerKind; owner_id: string | null };

export const NOBODY: Owner = { owner_kind: "none", owner_id: null };

/** The row of a conversation. */
export type Conversation = Owner & {
  id: string;
  account_id: string;
  channel_id: string;
  channel_kind: ChannelKind;
  address: string;
  thread: string;
  person_id: string | null;
  subject: string | null;
  tags: string[];
  priority: (typeof PRIORITIES)[number];
  status: ConversationStatus;
  /** Rises with every change of the owner, so that what began under another owner is told from what begins now. */
  owner_token: number;
  return_at: Date | null;
  reply_token: string;
  last_ordinal: number;
  last_message_id: string | null;
  last_message_at: Date;
  last_inbound_at: Date | null;
  unread: number;
  waiting_since: Date | null;
  snoozed_until: Date | null;
  previous_id: string | null;
  closed_at: Date | null;
  archived_at: Date | null;
  version: number;
};

/** What raises the version of a conversation: its messages have versions of their own. */
export const VERSIONED = [
  "person_id",
  "subject",
  "tags",
  "priority",
  "status",
  "owner_kind",
  "owner_id",
  "owner_token",
  "return_at",
  "snoozed_until",
  "archived_at",
] as const satisfies (keyof Conversation)[];

/** What its messages alone change. */
export const SINCE_MESSAGES = [
  "last_ordinal",
  "last_message_id",
  "last_message_at",
  "last_inbound_at",
  "unread",
  "waiting_since",
] as const satisfies (keyof Conversation)[];

/** What a change can set. */
export const CHANGEABLE = [...VERSIONED, ...SINCE_MESSAGES, "closed_at"] as const satisfies (keyof Conversation)[];

/** A conversation under another owner: the same one where nothing changes. */
export function ownedBy(conversation: Conversation, owner: Owner, return_at: Date | null = null): Conversation {
  const same = conversation.owner_kind === owner.owner_kind && conversation.owner_id === owner.owner_id;
  if (same) return { ...conversation, return_at };
  return { ...conversation, ...owner, return_at, owner_token: conversation.owner_token + 1 };
}

/**
 * Who owns a conversation after somebody has answered: whoever answers takes it over from an agent and from nobody. Where it was handed
 * to the team for a time, it goes back to the agent after that time all the same.
 */
export function ownedAfterReply(conversation: Conversation, author_id: string): Conversation {
  const taken = conversation.owner_kind === "human" && conversation.owner_id !== null;
  return taken ? conversation : ownedBy(conversation, { owner_kind: "human", owner_id: author_id }, conversation.return_at);
}

/** Refuses what was decided under another owner. */
export function requireToken(conversation: Conversation, token: number | undefined): void {
  if (token === undefined || token === conversation.owner_token) return;
  const { owner_kind, owner_id, owner_token } = conversation;
  fail("owner_changed", {
    detail: `The owner_token ${token} is stale: it is ${owner_token} now.`,
    meta: { owner_kind, owner_id, owner_token },
  });
}

/** A closed conversation belongs to nobody. */
export function closed(conversation: Conversation, now: Date): Conversation {
  if (conversation.status === "closed") return conversation;
  const ended = { status: "closed", closed_at: now, snoozed_until: null, waiting_since: null, unread: 0 } as const;
  return { ...ownedBy(conversation, NOBODY), ...ended };
}

export function opened(conversation: Conversation): Conversation {
  if (conversation.archived_at !== null) refuseState(conversation, []);
  return { ...conversation, status: "open", closed_at: null, snoozed_until: null };
}

export function snoozed(conversation: Conversation, until: Date): Conversation {
  if (conversation.status === "closed") refuseState(conversation, ["open"]);
  return { ...conversation, status: "snoozed", snoozed_until: until };
}

/** Refuses what the status of a conversation does not allow. */
export function refuseState(conversation: Conversation, allowed: readonly ConversationStatus[]): never {
  const from = conversation.archived_at === null ? conversation.status : "archived";
  fail("invalid_state_transition", { detail: `The conversation is ${from}.`, meta: { from, allowed } });
}
