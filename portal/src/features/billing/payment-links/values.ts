import { lastDayBefore, startOfDay } from "../../../ui/days.ts";
import { inCents, inUnits } from "../../../ui/money.tsx";
import type { Channel, LineItem, LinkBody, LinkPatch, PaymentLink } from "./data.ts";

/** An item as it is typed, in whole units of the currency. */
export type Item = { name: string; quantity: number | string; unit_cents: number | string; tax_cents: number | string };

/** The form of a link. Its fields have the names of the request; amounts are in whole units. */
export type Values = {
  contact_id: string | null;
  customer: { name: string; phone: string; email: string };
  currency: string;
  amount_cents: number | string;
  line_items: Item[];
  description: string;
  reference: string;
  due_on: string;
  expires_at: string;
  usage: "single" | "multi";
  uses_max: number | string;
  parts: boolean;
  partial: { min_first_cents: number | string; min_next_cents: number | string };
  /** Percentages with commas: "10, 15, 20". */
  tip: string;
  /** Questions, one a line; a star at its end makes an answer required. */
  collect: string;
  deal_id: string | null;
  conversation_id: string | null;
  /** What happens once it is paid; empty is nothing. */
  on_paid: { move_deal: { stage: string | null }; add_tags: string[]; send_message: { text: string } };
  /** Whether a client pays the operator, and which one; null for the client of the deal. */
  charge: { on: boolean; client_id: string | null };
  provider_id: string | null;
  language: string | null;
  /** Where the link is sent at once. */
  channels: Channel[];
};

export const NEW_ITEM: Item = { name: "", quantity: 1, unit_cents: "", tax_cents: "" };

export const newValues = (currency: string): Values => ({
  contact_id: null,
  customer: { name: "", phone: "", email: "" },
  currency,
  amount_cents: "",
  line_items: [],
  description: "",
  reference: "",
  due_on: "",
  expires_at: "",
  usage: "single",
  uses_max: "",
  parts: false,
  partial: { min_first_cents: "", min_next_cents: "" },
  tip: "",
  collect: "",
  deal_id: null,
  conversation_id: null,
  on_paid: { move_deal: { stage: null }, add_tags: [], send_message: { text: "" } },
  charge: { on: false, client_id: null },
  provider_id: null,
  language: null,
  channels: [],
});

export function valuesOf(link: PaymentLink): Values {
  const { currency, partial } = link;
  const { name, phone, email } = link.customer;
  return {
    ...newValues(currency),
    contact_id: link.contact_id,
    customer: { name: name ?? "", phone: phone ?? "", email: email ?? "" },
    amount_cents: inUnits(link.total_cents, currency),
    line_items: (link.line_items ?? []).map((item) => ({
      name: item.name,
      quantity: item.quantity,
      unit_cents: inUnits(item.unit_cents, currency),
      tax_cents: inUnits(item.tax_cents, currency),
    })),
    description: link.description ?? "",
    reference: link.reference ?? "",
    due_on: link.due_on ?? "",
    expires_at: lastDayBefore(link.expires_at),
    usage: link.usage as Values["usage"],
    uses_max: link.uses_max ?? "",
    parts: partial !== null,
    partial: {
      min_first_cents: inUnits(partial?.min_first_cents, currency),
      min_next_cents: inUnits(partial?.min_next_cents, currency),
    },
    tip: link.tip?.percentages.join(", ") ?? "",
    collect: link.collect.map(({ label, required }) => label + (required ? " *" : "")).join("\n"),
    deal_id: link.deal_id,
    conversation_id: link.conversation_id,
    on_paid: {
      move_deal: { stage: link.on_paid?.move_deal?.stage ?? null },
      add_tags: link.on_paid?.add_tags ?? [],
      send_message: { text: link.on_paid?.send_message?.text ?? "" },
    },
    charge: { on: link.charge !== null, client_id: link.charge?.client_id ?? null },
    provider_id: link.provider_id,
    language: link.language,
  };
}

const itemOf = ({ name, quantity, unit_cents, tax_cents }: Item, currency: string): LineItem => {
  const tax = inCents(tax_cents, currency);
  return {
    name: name.trim(),
    quantity: Number(quantity),
    unit_cents: inCents(unit_cents, currency) ?? 0,
    ...(tax === null ? {} : { tax_cents: tax }),
  };
};

/** What is asked for, in minor units: the sum of the items, or the amount. */
export function totalOf({ line_items, amount_cents, currency }: Values): number {
  if (line_items.length === 0) return inCents(amount_cents, currency) ?? 0;
  return line_items
    .map((item) => itemOf(item, currency))
    .reduce((sum, { quantity, unit_cents, tax_cents = 0 }) => sum + quantity * unit_cents + tax_cents, 0);
}

/** The percentages that are offered. */
export const tipsOf = ({ tip }: Values) =>
  tip
    .split(/[\s,;%]+/)
    .filter((part) => part !== "")
    .map(Number);

/** The key of an answer: "Which seat?" is which_seat; what has no Latin letter is numbered. */
const keyOf = (label: string, index: number) =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|_+$/g, "")
    .slice(0, 38) || `answer_${index + 1}`;

/** What the page asks for; two questions with the same key are told apart by their number. */
export function questionsOf({ collect }: Values): PaymentLink["collect"] {
  const lines = collect.split("\n").filter((line) => line.trim() !== "");
  const keys = lines.map(keyOf);
  return lines.map((line, index) => {
    const key = keys[index] ?? "";
    return {
      key: keys.indexOf(key) === index ? key : `${key}_${index}`,
      label: line.replace(/\s*\*\s*$/, "").trim(),
      required: line.trim().endsWith("*"),
    };
  });
}

/** Whether the customer is a contact, or becomes one. */
export const isContact = ({ contact_id, customer }: Values) => contact_id !== null || customer.phone.trim() !== "";

/** What happens once it is paid, as the API wants it: each takes what it is about. */
export function onPaidOf(values: Values): NonNullable<LinkPatch["on_paid"]> | null {
  const { stage } = values.on_paid.move_deal;
  const { add_tags } = values.on_paid;
  const text = values.on_paid.send_message.text.trim();
  const actions = {
    ...(stage === null || values.deal_id === null ? {} : { move_deal: { stage } }),
    ...(add_tags.length === 0 || !isContact(values) ? {} : { add_tags }),
    ...(text === "" || values.conversation_id === null ? {} : { send_message: { text } }),
  };
  return Object.keys(actions).length === 0 ? null : actions;
}

/** What a link of these values would set off. */
export const plannedOf = (values: Values): Pick<PaymentLink, "deal_id" | "on_paid" | "charge"> => ({
  deal_id: values.deal_id,
  on_paid: onPaidOf(values),
  charge: values.charge.on ? (values.charge.client_id === null ? {} : { client_id: values.charge.client_id }) : null,
});

/** What can be changed, as the API wants it. A charge is without tips, and through the provider of the operator. */
function membersOf(values: Values): LinkPatch {
  const { currency, line_items, amount_cents, description, reference, due_on, expires_at, parts, partial, charge } = values;
  const amount = inCents(amount_cents, currency);
  const first = inCents(partial.min_first_cents, currency);
  const next = inCents(partial.min_next_cents, currency);
  const percentages = tipsOf(values);
  return {
    ...(line_items.length > 0 ? { line_items: line_items.map((item) => itemOf(item, currency)) } : {}),
    ...(line_items.length === 0 && amount !== null ? { amount_cents: amount } : {}),
    description: description.trim() || null,
    reference: reference.trim() || null,
    due_on: due_on || null,
    ...(expires_at === "" ? {} : { expires_at: startOfDay(expires_at, 1) }),
    partial: parts
      ? { ...(first === null ? {} : { min_first_cents: first }), ...(next === null ? {} : { min_next_cents: next }) }
      : null,
    tip: percentages.length === 0 || charge.on ? null : { percentages },
    collect: questionsOf(values),
    provider_id: charge.on ? null : values.provider_id,
    on_paid: onPaidOf(values),
    language: values.language as LinkPatch["language"] & {},
  };
}

/** A new link. */
export function bodyOf(values: Values, account_id: string): LinkBody {
  const { contact_id, customer, currency, usage, uses_max, deal_id, conversation_id, channels } = values;
  const { charge } = plannedOf(values);
  const person = Object.fromEntries(
    Object.entries(customer).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])),
  );
  const members = membersOf(values);
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    account_id,
    customer: contact_id ?? person,
    currency,
    usage,
    timezone,
    ...(usage === "multi" && uses_max !== "" ? { uses_max: Number(uses_max) } : {}),
    ...(deal_id === null ? {} : { deal_id }),
    ...(conversation_id === null || members.on_paid?.send_message === undefined ? {} : { conversation_id }),
    ...(charge === null ? {} : { charge }),
    ...(channels.length === 0 ? {} : { send: { channels } }),
    ...members,
  };
}

/** Of the fields those that were changed: what was not touched stays as precise as it was. */
export function changesOf(before: Values, after: Values): LinkPatch {
  const was = membersOf(before) as Record<string, unknown>;
  const changed = Object.entries(membersOf(after)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]));
  return Object.fromEntries(changed);
}
