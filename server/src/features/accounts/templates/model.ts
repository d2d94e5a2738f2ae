import type { Fault } from "../../../kernel/errors.ts";
import { PLACEHOLDER, placeholdersIn, readPlaceholder } from "../../../kernel/placeholders.ts";

export const CHANNELS = ["any", "email", "sms", "whatsapp", "webchat"] as const;
export type Channel = (typeof CHANNELS)[number];

/** How many templates an account has in use. */
export const TEMPLATES_MAX = 500;

/** What a placeholder can stand for, besides the custom fields of contacts and the values of a message. */
export const PLACEHOLDERS = [
  "contact.name",
  "contact.first_name",
  "contact.phone",
  "contact.email",
  "contact.company",
  "account.name",
  "deal.name",
  "deal.stage",
  "deal.amount",
  "link.url",
  "link.amount",
  "link.due_on",
] as const;
const CUSTOM = "contact.custom.";
const VARIABLE = /^vars\.[a-z][a-z0-9_]{0,39}$/;

type Words = { channel: string; subject: string | null; text: string };

const MEMBERS = ["subject", "text"] as const;

/** The placeholders of a template, with the member that has them. */
function placeholdersOf(words: Words): { member: string; name: string | null }[] {
  return MEMBERS.flatMap((member) => placeholdersIn(words[member] ?? "").map((name) => ({ member, name })));
}

/** The values of the placeholders by name: undefined, null and an empty text are missing. */
export type Values = Readonly<Record<string, string | null | undefined>>;

/** A text with its placeholders filled in, the values in their order, and the names of those that have neither a value nor a default. */
export function renderText(text: string, values: Values): { text: string; values: string[]; missing: string[] } {
  const used: string[] = [];
  const missing = new Set<string>();
  const rendered = text.replaceAll(PLACEHOLDER, (whole, inner?: string) => {
    if (inner === undefined) return whole;
    const { name, otherwise } = readPlaceholder(inner);
    const value = values[name] || otherwise;
    if (value === null) missing.add(name);
    used.push(value ?? "");
    return value ?? whole;
  });
  return { text: rendered, values: used, missing: [...missing] };
}

/** Whether a template speaks of something, such as a deal. */
export function mentions(words: Words, what: string): boolean {
  return placeholdersOf(words).some(({ name }) => name?.startsWith(`${what}.`));
}

/** The keys of the custom fields of contacts that a template needs, with the member that needs them. */
export function customKeysOf(words: Words): { member: string; key: string }[] {
  return placeholdersOf(words).flatMap(({ member, name }) =>
    name?.startsWith(CUSTOM) ? [{ member, key: name.slice(CUSTOM.length) }] : [],
  );
}

/** What is wrong with the words of a template. Without keys, placeholders of any custom field are accepted. */
export function faultsOf(words: Words, keys: readonly string[] | null): Fault[] {
  const known: readonly string[] = [...PLACEHOLDERS, ...(keys ?? []).map((key) => `${CUSTOM}${key}`)];
  const isKnown = (name: string) =>
    known.includes(name) || VARIABLE.test(name) || (keys === null && /^contact\.custom\.[a-z][a-z0-9_]{0,39}$/.test(name));
  const shown = [...known, ...(keys === null ? [`${CUSTOM}<key>`] : []), "vars.<name>"].map((name) => `{{${name}}}`).join(", ");
  const faults: Fault[] = [];
  const refuse = (member: string, code: string, detail: string) =>
    faults.push({ in: "body", pointer: `#/${member}`, code, detail });
  if (words.subject !== null && words.channel !== "email" && words.channel !== "any")
    refuse("subject", "not_of_channel", `A template for ${words.channel} has no subject.`);
  for (const { member, name } of placeholdersOf(words)) {
    if (name === null)
      refuse(member, "unknown_placeholder", `{{ begins a placeholder that does not end. The placeholders are ${shown}.`);
    else if (!isKnown(name))
      refuse(member, "unknown_placeholder", `{{${name}}} is not a placeholder. The placeholders are ${shown}.`);
  }
  return faults.slice(0, 50);
}
