import { crc32 } from "node:zlib";
import { fail, notFound, within } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { isTimeZone } from "../../../kernel/schedule.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { randomToken, tokenQuery, tokenTarget } from "../../../platform/http/public-tokens.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { type Account, accountForNew } from "../../accounts/custom-fields/index.ts";
import { canonicalPhone, familyOf, settleContact } from "../../crm/contacts/index.ts";
import { type UsableProvider, usableProviders } from "../providers/index.ts";
import { AUDITED, lockLink, saveChange } from "./change.commands.ts";
import {
  EXPIRES_AFTER_MS,
  EXPIRES_WITHIN_MS,
  itemsTotal,
  type LineItem,
  type LinkAction,
  limitOf,
  refuseMember,
  statusAfter,
} from "./model.ts";
import { checkPaid } from "./paid.commands.ts";
import {
  accountOfSubject,
  expiredLinks,
  insertQuery,
  linkForUpdateOrNull,
  linkOrNull,
  linksPage,
  type NewLink,
  newLinkOf,
  type Payer,
  type PaymentLink,
  payerOrNull,
  type Seen,
  saveLink,
} from "./queries.ts";
import type { LinkCreate, LinkListQuery, LinkPatch } from "./schema.ts";
import { deliver } from "./sending/deliver.commands.ts";
import { REMIND_DAYS, reminderTime } from "./sending/model.ts";
import { replaceReminders } from "./sending/queries.ts";

const BATCH = 500;

export const seenBy = ({ settings, clock }: Pick<Context, "settings" | "clock">): Seen => ({
  now: clock.now(),
  base_url: settings.baseUrl(),
});

/** Makes a payment link for a customer: a contact, or a person who becomes one if there is a phone. */
export function createLink(ctx: Context, input: LinkCreate): Promise<PaymentLink> {
  return ctx.tx(async (tx) => {
    const asked = namedBy(ctx, tx, input);
    asked.catch(() => undefined);
    const of_contact = input.account_id === undefined && typeof input.customer === "string";
    // Otherwise the account is asked for in the same flight.
    const account_id = of_contact ? (await asked).contact?.account_id : input.account_id;
    const account = await accountForNew(ctx, tx, "contact", account_id);
    return addLink(ctx, tx, account, input, await asked);
  });
}

/** Adds a link of an account within another command. */
export async function addLink(ctx: Context, tx: Tx, account: Account, input: LinkCreate, asked?: Named): Promise<PaymentLink> {
  const named = asked ?? (await namedBy(ctx, tx, input));
  requireOfAccount(account.id, input, named);
  const fields = { ...termsOf(tx, account, input), ...(await customerOf(ctx, tx, account, input, named.contact)) };
  await checkPaid(ctx, tx, { ...fields, account_id: account.id }, account.house);
  const keys = { id: tx.newId("payment_link"), token: randomToken(), account_id: account.id };
  const made = await stored(ctx, tx, { ...NOTHING_PAID, ...fields, ...keys, created_by: actorOf(ctx.principal).id }, input.send);
  const changes = changesBetween<Partial<PaymentLink>>({}, made, AUDITED);
  recordChange(
    tx,
    ctx.scope,
    { resource: "payment_link", change: "created", ...made },
    { action: "payment_links.create", changes },
  );
  return made;
}

/** Stores a new link, with the end of the transaction unless it is sent or its customer is to be reminded of it. */
async function stored(ctx: Context, tx: Tx, link: NewLink, send: LinkCreate["send"]): Promise<PaymentLink> {
  const { partner_id } = ctx.scope;
  const seen = { now: tx.now, base_url: ctx.settings.baseUrl() };
  const made = newLinkOf(link, seen);
  const writes = [tokenQuery(link.token, { kind: "pay", partner_id, target_id: link.id }), insertQuery(ctx.scope, link, tx.now)];
  if (link.remind === null && send === undefined) {
    for (const write of writes) tx.send(write);
    return made;
  }
  await Promise.all(writes.map(({ statement, values }) => tx.query(statement, values)));
  await planReminders(ctx, tx, made);
  if (send !== undefined) await within("send", () => deliver(ctx, tx, made, send, "request"));
  return (await linkOrNull(tx, ctx.scope, link.id, seen)) ?? made;
}

/** Plans the reminders of a locked link anew: those that are still to come. */
async function planReminders(ctx: Context, tx: Tx, { id, remind, due_on, timezone }: PaymentLink): Promise<void> {
  const days = due_on === null ? [] : (remind?.days ?? []);
  const times = days.map((day) => reminderTime(String(due_on), day, timezone)).filter((at) => at > tx.now);
  await replaceReminders(tx, ctx.scope, id, times);
}

const NOTHING_PAID = {
  status: "active" as const,
  paid_cents: 0,
  reserved_cents: 0,
  refunded_cents: 0,
  tips_cents: 0,
  paid_at: null,
  version: 1,
};

/** What is asked for: the amount, when, and how it can be paid. */
function termsOf(tx: Tx, account: Account, input: LinkCreate) {
  const { usage = "single", uses_max = null, partial = null, timezone = "UTC" } = input;
  const { total_cents, line_items } = amountOf(input);
  if (uses_max !== null && usage === "single") refuseMember("uses_max", "single_use", "uses_max is for links of multi use.");
  if (partial !== null && usage === "multi") refuseMember("partial", "multi_use", "A link of multi use is paid as a whole.");
  const terms = {
    currency: input.currency ?? account.currency,
    usage,
    uses_max,
    total_cents,
    line_items,
    limit_cents: limitOf(usage, total_cents, uses_max),
    description: input.description ?? null,
    reference: input.reference ?? null,
    expires_at: new Date(input.expires_at ?? tx.now.getTime() + EXPIRES_AFTER_MS).toISOString(),
    due_on: input.due_on ?? null,
    timezone,
    language: input.language ?? null,
    remind: remindOf(input),
    partial,
    tip: input.tip ?? null,
    collect: input.collect ?? [],
    provider_id: input.provider_id ?? null,
    metadata: input.metadata ?? {},
    deal_id: input.deal_id ?? null,
    conversation_id: input.conversation_id ?? null,
    on_paid: input.on_paid ?? null,
    charge: input.charge ?? null,
  };
  checkExpiry(tx, terms);
  checkTerms(terms);
  return terms;
}

/** Who has a day to pay by is reminded of it, unless the caller says otherwise. */
function remindOf({ remind, due_on, usage }: Pick<LinkCreate, "remind" | "due_on" | "usage">): PaymentLink["remind"] {
  if (remind !== undefined) return remind;
  return due_on == null || usage === "multi" ? null : { days: REMIND_DAYS };
}

type AmountInput = { amount_cents?: number | undefined; line_items?: LineItem[] | undefined };

function amountOf({ amount_cents, line_items }: AmountInput) {
  if ((amount_cents === undefined) === (line_items === undefined))
    refuseMember("amount_cents", "one_amount", "Send either amount_cents or line_items.");
  const total_cents = amount_cents ?? itemsTotal(line_items ?? []);
  return { total_cents, line_items: line_items ?? null };
}

function checkExpiry({ now }: Tx, { expires_at }: Pick<PaymentLink, "expires_at">): void {
  const left_ms = Date.parse(expires_at) - now.getTime();
  if (left_ms <= 0 || left_ms > EXPIRES_WITHIN_MS)
    refuseMember("expires_at", "out_of_range", "expires_at must be in the future, within 180 days.");
}

type Terms = Pick<PaymentLink, "timezone" | "collect" | "partial" | "total_cents" | "usage" | "remind" | "due_on">;

function checkTerms({ timezone, collect, partial, total_cents, usage, remind, due_on }: Terms): void {
  if (!isTimeZone(timezone))
    refuseMember("timezone", "unknown_time_zone", `${timezone} is no time zone of the IANA database, such as Europe/Berlin.`);
  if (new Set(collect.map(({ key }) => key)).size < collect.length)
    refuseMember("collect", "duplicate_key", "Each key can be collected once.");
  if (remind !== null && due_on === null)
    refuseMember("remind", "due_on_required", "Reminders are counted from due_on, which the link does not have.");
  if (remind !== null && usage === "multi")
    refuseMember("remind", "multi_use", "A link of multi use is nobody's alone: nobody is reminded of it.");
  for (const name of ["min_first_cents", "min_next_cents"] as const)
    if ((partial?.[name] ?? 0) > total_cents)
      refuseMember(`partial/${name}`, "above_total", `${name} is more than the whole amount.`);
}

/** What a new link names, as it was found: the accounts of its deal and conversation. */
type Named = {
  contact: Payer | null;
  deal: string | null;
  conversation: string | null;
  providers: UsableProvider[];
};

/** Looks for all that a new link names in one flight. */
async function namedBy(ctx: Context, tx: Tx, input: LinkCreate): Promise<Named> {
  const { customer, deal_id, conversation_id, provider_id } = input;
  const accountOf = (kind: "deal" | "conversation", id: string | undefined) =>
    id === undefined ? null : accountOfSubject(tx, ctx.scope, kind, id);
  const [contact, deal, conversation, providers] = await Promise.all([
    typeof customer === "string" ? payerOrNull(tx, ctx.scope, customer) : null,
    accountOf("deal", deal_id),
    accountOf("conversation", conversation_id),
    provider_id == null ? [] : usableProviders(tx, ctx.scope, null, provider_id),
  ]);
  if (typeof customer === "string" && contact === null) refuseCustomer(customer);
  return { contact, deal, conversation, providers };
}

function refuseCustomer(contact_id: string): never {
  refuseMember("customer", "unknown_contact", `The contact ${contact_id} was not found in this account.`);
}

/** Refuses a contact, a deal, a conversation or a provider of another account. */
function requireOfAccount(account_id: string, input: LinkCreate, named: Named): void {
  if (named.contact !== null && named.contact.account_id !== account_id) refuseCustomer(named.contact.id);
  for (const kind of ["deal", "conversation"] as const) {
    const id = input[`${kind}_id`];
    if (id === undefined || named[kind] === account_id) continue;
    refuseMember(`${kind}_id`, `unknown_${kind}`, `The ${kind} ${id} was not found in this account.`);
  }
  const usable = named.providers.some((provider) => provider.account_id === null || provider.account_id === account_id);
  if (input.provider_id != null && !usable) refuseProvider(input.provider_id);
}

function refuseProvider(provider_id: string): never {
  const detail = `The provider ${provider_id} was not found for this account, or is not active.`;
  refuseMember("provider_id", "unknown_provider", detail);
}

/** Who is to pay. Whoever has a phone is a contact; others are only on the link. */
async function customerOf(ctx: Context, tx: Tx, account: Account, { customer }: LinkCreate, known: Payer | null) {
  if (known !== null) {
    const { name, phone, email } = known;
    return { contact_id: known.id, customer: { name, phone, email } };
  }
  const { name = null, email = null, phone: given } = customer as { name?: string; phone?: string; email?: string };
  if (given === undefined) return { contact_id: null, customer: { name, phone: null, email } };
  const phone = await within("customer", async () => canonicalPhone(given));
  const contact_id = await settleContact(ctx, tx, account, { name: name ?? phone, phone });
  return { contact_id, customer: { name, phone, email } };
}

/** A link shows more than its version stands for: what became of its messages and reminders, and whether its time is over. */
export async function getLink(ctx: Context, id: string): Promise<PaymentLink & { etag: string }> {
  const link = (await linkOrNull(ctx.db.byKey, ctx.scope, id, seenBy(ctx))) ?? notFound(id);
  return { ...link, etag: `${link.version}-${crc32(link.json)}` };
}

export async function listLinks(ctx: Context, query: LinkListQuery): Promise<{ json: string }> {
  const { contact_id } = query;
  const contacts = contact_id === undefined ? null : await familyOf(ctx.db, ctx.scope, contact_id);
  return linksPage(ctx.db, ctx.scope, query, contacts, seenBy(ctx));
}

/** Changes what is asked for, as long as nobody has begun to pay. One that has expired is active again with a later time. */
export function updateLink(ctx: Context, id: string, patch: LinkPatch): Promise<PaymentLink> {
  return ctx.tx(async (tx) => {
    const before = await lockLink(ctx, tx, id);
    requireUnpaid(before);
    const { amount_cents, line_items, ...fields } = patch;
    const amount = amount_cents === undefined && line_items === undefined ? {} : amountOf({ amount_cents, line_items });
    const after: PaymentLink = { ...before, ...fields, ...amount };
    const { due_on, usage } = after;
    if (patch.remind === undefined && (before.due_on === null || due_on === null)) after.remind = remindOf({ due_on, usage });
    after.limit_cents = limitOf(after.usage, after.total_cents, after.uses_max);
    if (after.partial !== null && after.usage === "multi")
      refuseMember("partial", "multi_use", "A link of multi use is paid as a whole.");
    if (before.status !== "expired" || patch.expires_at !== undefined) checkExpiry(tx, after);
    checkTerms(after);
    if (before.status === "expired" && patch.expires_at !== undefined) after.status = "active";
    const { provider_id } = patch;
    if (provider_id != null && (await usableProviders(tx, ctx.scope, before.account_id, provider_id)).length === 0)
      refuseProvider(provider_id);
    await planReminders(ctx, tx, after);
    // One with a charge is of the partner's own account.
    await checkPaid(ctx, tx, after, before.charge !== null);
    return saveChange(ctx, tx, before, after, "payment_links.update");
  });
}

function requireUnpaid({ status, paid_cents, reserved_cents }: PaymentLink): void {
  if (paid_cents === 0 && reserved_cents === 0 && ["active", "disabled", "expired"].includes(status)) return;
  const detail =
    reserved_cents > 0
      ? "The link is being paid right now, so it cannot be changed."
      : `A payment link that is ${status.replace("_", " ")} cannot be changed. Create another one.`;
  fail("invalid_state_transition", { detail, meta: { from: status, allowed: [] } });
}

/** Cancels, closes, disables or enables a link. What is being paid right now may still be paid, and counts. */
export function moveLink(ctx: Context, id: string, action: LinkAction): Promise<PaymentLink> {
  return ctx.tx(async (tx) => {
    const before = await lockLink(ctx, tx, id);
    const status = statusAfter(action, before.status, before);
    return saveChange(ctx, tx, before, { ...before, status }, `payment_links.${action}`);
  });
}

/** Notes that links have expired. Nobody depends on it: a link is expired from its time on. Returns how many. */
export async function noteExpiries(services: Services): Promise<number> {
  const due = await expiredLinks(services.db, services.clock.now(), BATCH);
  for (const { partner_id, id } of due) {
    const ctx = createContext(services, { principal: { type: "system", partner_id } });
    await ctx.tx(async (tx) => {
      const seen = { now: tx.now, base_url: ctx.settings.baseUrl() };
      const link = await linkForUpdateOrNull(tx, ctx.scope, id, seen);
      if (link?.status !== "expired") return;
      const saved = await saveLink(tx, ctx.scope, { ...link, version: link.version + 1 }, seen.base_url);
      recordChange(tx, ctx.scope, { resource: "payment_link", change: "updated", ...saved }, null);
    });
  }
  return due.length;
}

/** The partner and the link that a token in a public path stands for; null if it stands for none. */
export async function linkByToken(
  db: Queryable,
  token: string,
  seen: Seen,
): Promise<(PaymentLink & { partner_id: string }) | null> {
  const target = await tokenTarget(db, token);
  if (target?.kind !== "pay") return null;
  const { partner_id, target_id } = target;
  const link = await linkOrNull(db, { partner_id, clients: "all" }, target_id, seen);
  return link === null ? null : { ...link, partner_id };
}
