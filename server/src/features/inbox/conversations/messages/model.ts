import { fail } from "../../../../kernel/errors.ts";

export const MESSAGE_KINDS = ["text", "note", "event"] as const;
export const MESSAGE_STATUSES = [
  "received",
  "scheduled",
  "queued",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "cancelled",
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const PURPOSES = ["conversational", "transactional", "marketing"] as const;
export type Purpose = (typeof PURPOSES)[number];

export const AUTHOR_TYPES = [
  "key",
  "user",
  "system",
  "agent",
  "contact",
  "visitor",
  "channel",
  "operator",
  "payer",
  "provider",
] as const;

/** What happened to a conversation, as an entry among its messages. */
export type ConversationEvent = {
  type: "assigned" | "handed_off" | "taken_over" | "returned" | "closed" | "reopened" | "snoozed";
  owner_kind?: string;
  owner_id?: string | null;
  until?: string;
};

/** The row of a message. */
export type Message = {
  id: string;
  account_id: string;
  conversation_id: string;
  channel_id: string;
  ordinal: number;
  direction: "in" | "out";
  kind: (typeof MESSAGE_KINDS)[number];
  author_type: (typeof AUTHOR_TYPES)[number];
  author_id: string;
  subject: string | null;
  text: string;
  html: string | null;
  status: MessageStatus;
  status_at: Date;
  provider_id: string | null;
  client_message_id: string | null;
  purpose: Purpose;
  template_id: string | null;
  automatic: boolean;
  retry_of: string | null;
  detail: object | null;
  scheduled_at: Date | null;
};

/** A message as it is given to `insertMessage`: what is left out has its default. */
export type NewMessage = Partial<Message> &
  Pick<Message, "id" | "direction" | "kind" | "author_type" | "author_id" | "text" | "status">;

export const MESSAGE_DEFAULTS = {
  subject: null,
  html: null,
  provider_id: null,
  client_message_id: null,
  purpose: "conversational",
  template_id: null,
  automatic: false,
  retry_of: null,
  detail: null,
  scheduled_at: null,
} as const;

/** A message as it was just stored. */
export type StoredMessage = Message & { created_at: Date; version: number };

type Shown = { author_name: string | null; attachments: readonly object[] };

/** A message that was just written to a person, as the API shows it: the same as the database renders of it later. */
export function shownMessage(row: StoredMessage, { author_name, attachments }: Shown): string {
  const { author_type, author_id, status_at, scheduled_at, created_at } = row;
  const { id, account_id, conversation_id, channel_id, ordinal, direction, kind, subject, text, html } = row;
  const { status, provider_id, client_message_id, purpose, template_id, automatic, retry_of, version } = row;
  const author = { type: author_type, id: author_id, name: author_name };
  const place = { id, account_id, conversation_id, channel_id, ordinal, direction, kind, author };
  const content = { subject, text, html, attachments, dropped_attachments: 0 };
  const state = { status, status_at, error: null, provider_id, client_message_id, purpose, template_id, automatic, retry_of };
  return JSON.stringify({ ...place, ...content, ...state, event: null, scheduled_at, created_at, version });
}

/** What a person's consent for a channel says. */
type Consent = { status: string; at: string } | undefined;

/**
 * Refuses a message to somebody who does not want it. Whoever writes an e-mail after a refusal asks for an answer; marketing
 * needs consent in any case.
 */
export function checkConsent(
  consent: Consent,
  {
    opted_out_at,
    kind,
    purpose,
    last_inbound_at,
  }: { opted_out_at: Date | null; kind: string; purpose: Purpose; last_inbound_at: Date | null },
): void {
  const denied = consent?.status === "denied";
  if (purpose === "marketing" && consent?.status !== "granted") fail(denied ? "recipient_opted_out" : "consent_required");
  if (!denied && opted_out_at === null) return;
  const refused_ms = Math.max(denied ? Date.parse(consent.at) : 0, opted_out_at?.getTime() ?? 0);
  const wrote_since = last_inbound_at !== null && last_inbound_at.getTime() > refused_ms;
  if (kind === "email" && wrote_since && purpose === "conversational") return;
  fail("recipient_opted_out");
}

/** Until when anything can be sent, on a channel that closes a while after the person's last message. */
export function windowUntil(window_hours: number | null, last_inbound_at: Date | null): Date | null {
  if (window_hours === null || last_inbound_at === null) return null;
  return new Date(last_inbound_at.getTime() + window_hours * 3_600_000);
}

/** What is known of an e-mail that another one follows: of one that came in its own ids, of one of ours its id at the provider. */
export type LastMail = {
  provider_id: string;
  detail: { message_id?: string; references?: string[]; thread?: { references?: string[] } } | null;
};

const REFERENCES_MAX = 20;

/** What an e-mail refers to that follows another: that one, and all that it refers to. */
export function threadAfter({ provider_id, detail }: LastMail): { message_id: string; references: string[] } {
  const message_id = detail?.message_id ?? provider_id;
  const before = detail?.references ?? detail?.thread?.references ?? [];
  return { message_id, references: [...before, message_id].slice(-REFERENCES_MAX) };
}
