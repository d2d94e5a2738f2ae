import { Braces, Mail, MessageCircle, MessageSquare, Smartphone } from "lucide-react";
import type { ChannelKind } from "../channels/data.ts";
import { KINDS } from "../channels/kinds.ts";
import type { Conversation, Message } from "./data.ts";

/** Who a conversation is with. */
export const personOf = ({ person_name, address }: Pick<Conversation, "person_name" | "address">) => person_name || address;

const ICONS = {
  sms: Smartphone,
  simulator: Smartphone,
  email: Mail,
  webchat: MessageCircle,
  whatsapp: MessageSquare,
  api: Braces,
};

export function ChannelIcon({ kind }: { kind: ChannelKind }) {
  const Icon = ICONS[kind];
  return <Icon size={12} role="img" aria-label={KINDS[kind].name} />;
}

/** Who answers a conversation, for the person with an id. */
export function ownerOf({ owner_kind, owner_id, owner_name }: Conversation, user_id: string): string {
  if (owner_kind === "agent") return owner_name ?? "The agent";
  if (owner_kind === "none") return "Nobody";
  if (owner_id === user_id) return "You";
  return owner_id === null ? "Whoever takes it" : (owner_name ?? "A colleague");
}

/** Who wrote a message of the team, for the person with an id. */
export function authorOf({ author: { type, id, name } }: Message, user_id: string): string {
  if (id === user_id) return "You";
  if (name !== null) return name;
  return type === "agent" ? "The agent" : type === "key" ? "A program" : type === "user" ? "A colleague" : "Tributary";
}

const DONE: Record<string, string> = {
  assigned: "assigned it",
  handed_off: "handed it over",
  taken_over: "took over",
  returned: "gave it back",
  closed: "closed it",
  reopened: "reopened it",
  snoozed: "snoozed it",
};

/** What an event among the messages tells, after the name of whoever did it. */
export function eventText({ event }: Message, nameOf: (id: string) => string): string {
  const { type, owner_id, until } = (event ?? {}) as { type?: string; owner_id?: string | null; until?: string };
  const done = DONE[type ?? ""] ?? (type ?? "").replaceAll("_", " ");
  if (type === "assigned" && owner_id === null) return "assigned it to nobody";
  if ((type === "assigned" || type === "handed_off") && owner_id) return `${done} to ${nameOf(owner_id)}`;
  if (until === undefined) return done;
  return `${done} until ${new Date(until).toLocaleString("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })}`;
}
