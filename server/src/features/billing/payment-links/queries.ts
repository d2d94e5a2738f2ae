import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage, type Place } from "../../../platform/db/keyset.ts";
import { pollStatement, type Query, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { isOpen } from "./model.ts";
import { type LinkListQuery, Link as LinkSchema, type LinkShown } from "./schema.ts";

/** A link is expired from its time on, whether or not the job has been there yet. */
const statusAt = (now: string) =>
  `case when c.status in ('active', 'partially_paid') and c.expires_at <= ${now}::timestamptz then 'expired' else c.status end`;
const DUE = `case when c.status in ('paid', 'cancelled', 'closed') then 0 when c.usage = 'multi' then c.total_cents
    else greatest(c.total_cents - c.paid_cents, 0) end`;
const DELIVERIES = `coalesce((select json_agg(json_build_object('message_id', d.message_id, 'conversation_id', m.conversation_id,
      'channel', d.channel, 'reminder', d.reminder, 'status', m.status, 'created_at', wire_time(d.created_at)) order by d.message_id)
    from payment_messages d join messages m on m.partner_id = $1 and m.id = d.message_id
    where d.partner_id = $1 and d.link_id = c.id), '[]')`;
const REMINDERS = `coalesce((select json_agg(json_build_object('at', wire_time(r.at), 'state', r.state, 'reason', r.reason) order by r.at)
    from payment_reminders r where r.partner_id = $1 and r.link_id = c.id), '[]')`;
const linkJson = (now: string, base_url: string) =>
  rowJson(LinkSchema, {
    url: `${base_url}::text || '/pay/' || c.token`,
    status: statusAt(now),
    amount_due_cents: DUE,
    due_on: "to_char(c.due_on, 'YYYY-MM-DD')",
    deliveries: DELIVERIES,
    reminders: REMINDERS,
  });

/** A link as the API shows it, with its JSON and what the API does not show. */
export type PaymentLink = LinkShown & { json: string; token: string; limit_cents: number | null };

/** When a link is looked at, and the public address of the service. */
export type Seen = { now: Date; base_url: string };

// In all statements below, $2 is the time and $3 the public address.
const SHOWN = `${linkJson("$2", "$3")} as json, c.token, c.limit_cents`;

type Row = { json: string; token: string; limit_cents: number | null };

function linkOf(rows: Row[]): PaymentLink | null {
  const shown = parsedRow<LinkShown>(rows);
  const [row] = rows;
  return shown === null || row === undefined ? null : { ...shown, token: row.token, limit_cents: row.limit_cents };
}

/** What a change can set, and what payments change. */
const SAVED = [
  "status",
  "description",
  "reference",
  "total_cents",
  "limit_cents",
  "line_items",
  "paid_cents",
  "reserved_cents",
  "refunded_cents",
  "tips_cents",
  "partial",
  "tip",
  "collect",
  "expires_at",
  "due_on",
  "timezone",
  "provider_id",
  "language",
  "remind",
  "metadata",
  "on_paid",
  "paid_at",
  "version",
] as const;
const FIXED = [
  "id",
  "account_id",
  "contact_id",
  "customer",
  "currency",
  "usage",
  "uses_max",
  "deal_id",
  "conversation_id",
  "charge",
  "token",
  "created_by",
] as const;
const JSON_COLUMNS = ["line_items", "partial", "tip", "collect", "remind", "metadata", "customer", "on_paid", "charge"] as const;

export type NewLink = Pick<PaymentLink, (typeof SAVED)[number] | (typeof FIXED)[number]>;

/** Objects as the text that their columns are given. */
function stored<Fields extends Partial<PaymentLink>>(fields: Fields): Fields {
  const texts = JSON_COLUMNS.map((column) => [column, fields[column] == null ? null : JSON.stringify(fields[column])]);
  return { ...fields, ...Object.fromEntries(texts) };
}

const INSERTED = ["partner_id", ...FIXED, ...SAVED, "created_at", "updated_at"] as const;
const insertStatement = statement(`insert into payment_links ${insertValues(INSERTED)}`);

/** The insert of a new link. */
export function insertQuery({ partner_id }: Pick<TenantScope, "partner_id">, link: NewLink, now: Date): Query {
  const row = { ...stored(link), partner_id, created_at: now, updated_at: now };
  return { statement: insertStatement, values: valuesOf(row, INSERTED) };
}

const MEMBERS = Object.keys(LinkSchema.properties) as (keyof LinkShown)[];

/** A new link as it will be shown: so it can be told of in the flight that stores it. It has no messages and reminders yet. */
export function newLinkOf(link: NewLink, { now, base_url }: Seen): PaymentLink {
  const at = now.toISOString();
  const shown = {
    ...link,
    url: `${base_url}/pay/${link.token}`,
    amount_due_cents: link.total_cents,
    deliveries: [],
    reminders: [],
    created_at: at,
    updated_at: at,
  };
  return { ...shown, json: JSON.stringify(Object.fromEntries(MEMBERS.map((name) => [name, shown[name]]))) };
}

const saved = (link: PaymentLink | null): PaymentLink => {
  if (link === null) throw new Error("the payment link was not saved");
  return link;
};

const saveStatement = statement(`
  with c as (
    update payment_links set ${assignments(SAVED, 5)}, updated_at = $2
    where partner_id = $1 and id = $4
    returning *
  )
  select ${SHOWN} from c`);

/** Saves a locked link as it is given, its version included. */
export async function saveLink(
  tx: Tx,
  { partner_id }: Pick<TenantScope, "partner_id">,
  link: PaymentLink,
  base_url: string,
): Promise<PaymentLink> {
  return saved(linkOf(await tx.query(saveStatement, [partner_id, tx.now, base_url, link.id, ...valuesOf(stored(link), SAVED)])));
}

const VISIBLE = "c.partner_id = $1 and c.id = $4 and ($5::text[] is null or c.account_id = any ($5))";
const linkById = statement(`select ${SHOWN} from payment_links c where ${VISIBLE}`);
const lockLink = statement(`
  select c.id from payment_links c
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3)) for update`);

export async function linkOrNull(
  db: Queryable,
  scope: TenantScope,
  id: string,
  { now, base_url }: Seen,
): Promise<PaymentLink | null> {
  return linkOf(await db.query(linkById, [scope.partner_id, now, base_url, id, boundClients(scope)]));
}

/**
 * A link, locked: whatever reserves or adds money waits here. It is read by a later statement, because one that waited for the lock would not see
 * the deliveries and reminders of whoever had it.
 */
export async function linkForUpdateOrNull(
  tx: Queryable,
  scope: TenantScope,
  id: string,
  seen: Seen,
): Promise<PaymentLink | null> {
  const locked = tx.query(lockLink, [scope.partner_id, id, boundClients(scope)]);
  const [, link] = await Promise.all([locked, linkOrNull(tx, scope, id, seen)]);
  return link;
}

export function linksPage(
  db: Queryable,
  scope: TenantScope,
  query: LinkListQuery,
  contact_ids: readonly string[] | null,
  { now, base_url }: Seen,
) {
  const { limit: _, cursor: __, ...filter } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("payment-links", filter),
      table: "payment_links",
      json: (place) => linkJson(place(now), place(base_url)),
      sort: byCreation(true),
      conditions: (place) => conditionsOf(scope, filter, contact_ids, now, place),
    },
    query,
  );
}

function conditionsOf(
  scope: TenantScope,
  filter: LinkListQuery,
  contact_ids: readonly string[] | null,
  now: Date,
  place: Place,
): string[] {
  const { account_id, status, deal_id } = filter;
  const accounts = requestedAccounts(scope, account_id);
  const conditions = createdWithin("payment_link", filter, place);
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  if (contact_ids !== null) conditions.push(anyOf("c.contact_id", contact_ids, place));
  if (deal_id !== undefined) conditions.push(anyOf("c.deal_id", [deal_id], place));
  if (status === undefined) return conditions;
  // What has expired and is not noted yet is little: the job goes round every minute.
  const within = status === "expired" ? ["active", "partially_paid", "expired"] : [status];
  conditions.push(anyOf("c.status", within, place));
  if (status === "expired") conditions.push(`(c.status = 'expired' or c.expires_at <= ${place(now)})`);
  if (isOpen(status)) conditions.push(`c.expires_at > ${place(now)}`);
  return conditions;
}

const expiredStatement = pollStatement(`
  -- all partners: every minute, by an index of what can still be paid.
  select partner_id, id from payment_links where status in ('active', 'partially_paid') and expires_at <= $1 order by expires_at limit $2`);

/** Links whose time is over, and which do not say so yet. */
export function expiredLinks(db: Queryable, now: Date, limit: number): Promise<{ partner_id: string; id: string }[]> {
  return db.query(expiredStatement, [now, limit]);
}

const dealAccount = statement("select d.account_id from deals d where d.partner_id = $1 and d.id = $2 and d.deleted_at is null");
const conversationAccount = statement("select v.account_id from conversations v where v.partner_id = $1 and v.id = $2");

/** The account of a deal or a conversation that a link is about; null if there is none. */
export async function accountOfSubject(
  tx: Queryable,
  { partner_id }: TenantScope,
  kind: "deal" | "conversation",
  id: string,
): Promise<string | null> {
  const found = kind === "deal" ? dealAccount : conversationAccount;
  return (await tx.query<{ account_id: string }>(found, [partner_id, id]))[0]?.account_id ?? null;
}

const clientStatement = statement(`
  select 1 as found from clients c
  where c.partner_id = $1 and c.id = $2 and not c.house and ($3::text[] is null or c.id = any ($3))`);

/** Whether there is such a client, other than the partner's own account. */
export async function isClient(tx: Queryable, scope: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(clientStatement, [scope.partner_id, id, boundClients(scope)])).length > 0;
}

const contactStatement = statement(`
  select c.id, c.account_id, c.name, c.phone, c.email from contacts c
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3)) and c.deleted_at is null
  for share`);

export type Payer = { id: string; account_id: string; name: string; phone: string | null; email: string | null };

/** A contact who is to pay, and is not deleted or erased before the transaction ends. */
export async function payerOrNull(tx: Queryable, scope: TenantScope, contact_id: string): Promise<Payer | null> {
  return (await tx.query<Payer>(contactStatement, [scope.partner_id, contact_id, boundClients(scope)]))[0] ?? null;
}

const sellerStatement = statement(`
  select c.company, c.status, case when c.branding is null then p.branding else p.branding || c.branding end as branding, p.status as partner_status
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 and c.id = $2`);

export type Seller = {
  company: string;
  status: string;
  partner_status: string;
  branding: { logo_url?: string; primary_color?: string; support_email?: string };
};

/** Who asks for the money, as the payer sees it. */
export async function sellerOf(db: Queryable, partner_id: string, account_id: string): Promise<Seller> {
  const [seller] = await db.query<Seller>(sellerStatement, [partner_id, account_id]);
  if (seller === undefined) throw new Error(`no account ${account_id}`);
  return seller;
}

const eraseStatement = statement(`
  update payment_links set customer = '{"name": null, "phone": null, "email": null}',
    on_paid = nullif(on_paid - 'send_message', '{}'::jsonb), version = version + 1, updated_at = $3
  where partner_id = $1 and contact_id = any ($2)`);

/** Erases who some people were on links; amounts and ids stay. */
export async function eraseCustomers(
  db: Queryable,
  partner_id: string,
  contact_ids: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(eraseStatement, [partner_id, contact_ids, now]);
}

const anyOfContact = statement("select 1 as found from payment_links c where c.partner_id = $1 and c.contact_id = $2 limit 1");

/** Whether a contact was asked for money. */
export async function hasLinks(tx: Queryable, partner_id: string, contact_id: string): Promise<boolean> {
  return (await tx.query(anyOfContact, [partner_id, contact_id])).length > 0;
}
