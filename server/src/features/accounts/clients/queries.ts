import { fail } from "../../../kernel/errors.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { violatedConstraint } from "../../../platform/db/connection.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Client, ClientStatus } from "./model.ts";

/** A client as the API shows it, from a row `c` and its partner `p`: branding is the partner's under the client's own. */
export const CLIENT_JSON = `(select row_to_json(x)::text from (select
    c.id, c.partner_id, c.house, c.company, c.external_id, c.contact, c.plan, c.mrr_cents, c.currency,
    c.status, c.status_reason, wire_time(c.status_changed_at) as status_changed_at,
    case when c.branding is null then p.branding else p.branding || c.branding end as branding,
    case when c.branding is null then 'partner' else 'override' end as branding_source,
    '[]'::json as snapshots, c.tags, c.metadata,
    wire_time(c.activated_at) as activated_at, wire_time(c.suspended_at) as suspended_at, wire_time(c.churned_at) as churned_at,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version) x)`;

/** The partner's branding shows in a client, so that the ETag has the partner's version too. */
const CLIENT_ETAG = "c.version || '-' || p.version";

const CLIENT_COLUMNS = `c.partner_id, c.id, c.house, c.company, c.external_id, c.contact, c.plan, c.mrr_cents, c.currency,
    c.status, c.status_reason, c.branding, c.tags, c.metadata, c.created_at, c.version`;
const CLIENT = `${CLIENT_COLUMNS}, ${CLIENT_ETAG} as etag, ${CLIENT_JSON} as json`;

const clientById = statement(`
  select ${CLIENT_JSON} as json, c.id, c.version, ${CLIENT_ETAG} as etag
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))`);

/** One client that the caller may see, as the API shows it. */
export async function clientOrNull(db: Queryable, scope: TenantScope, id: string) {
  const [row] = await db.query<{ json: string; id: string; version: number; etag: string }>(clientById, [
    scope.partner_id,
    id,
    boundClients(scope),
  ]);
  return row ?? null;
}

const lockClient = statement(`
  select ${CLIENT}
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))
  for no key update of c`);

/** One client that the caller may change, locked until the transaction ends. */
export async function clientForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Client | null> {
  const [row] = await tx.query<Client>(lockClient, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const lockClients = statement(`
  select ${CLIENT}
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 and c.id = any ($2) and ($3::text[] is null or c.id = any ($3))
  order by c.id
  for no key update of c`);

/** Those of some clients that the caller may change, locked in one order, so that two calls do not wait for each other. */
export function clientsForUpdate(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<Client[]> {
  return tx.query<Client>(lockClients, [scope.partner_id, ids, boundClients(scope)]);
}

/** Returns only what the caller does not know: a common table expression that returns the row costs a tenth more. */
const insertStatement = statement(`
  insert into clients as c (partner_id, id, house, company, external_id, contact, plan, mrr_cents, currency, branding, tags, metadata,
    status, status_changed_at, activated_at, created_at, updated_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, p.currency), $10, $11, $12, $13::text, $14::timestamptz,
    case when $13 = 'active' then $14::timestamptz end, $14, $14
  from partners p where p.id = $1
  returning c.currency, c.version, (select ${CLIENT_ETAG} from partners p where p.id = c.partner_id) as etag,
    (select ${CLIENT_JSON} from partners p where p.id = c.partner_id) as json`);

export type NewClient = {
  id: string;
  house: boolean;
  company: string;
  external_id: string | null;
  contact: object | null;
  plan: string | null;
  mrr_cents: number;
  /** The partner's own when left out. */
  currency: string | null;
  branding: object | null;
  tags: string[];
  metadata: object;
  status: ClientStatus;
};

export async function insertClient(tx: Tx, scope: TenantScope, client: NewClient): Promise<Client> {
  const { id, house, company, external_id, contact, plan, mrr_cents, currency, branding, tags, metadata, status } = client;
  const values = [
    scope.partner_id,
    id,
    house,
    company,
    external_id,
    contact,
    plan,
    mrr_cents,
    currency,
    branding,
    tags,
    metadata,
    status,
    tx.now,
  ];
  const [row] = await refusingDuplicates(
    tx.query<Pick<Client, "currency" | "version" | "etag" | "json">>(insertStatement, values),
  );
  if (row === undefined) throw new Error(`no partner ${scope.partner_id}`);
  return { ...client, partner_id: scope.partner_id, status_reason: null, created_at: tx.now, ...row };
}

const updateStatement = statement(`
  with c as (
    update clients set company = $3, external_id = $4, contact = $5, plan = $6, mrr_cents = $7, currency = $8, branding = $9,
      tags = $10, metadata = $11, updated_at = $12, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${CLIENT} from c join partners p on p.id = c.partner_id`);

/** Saves the fields of a client that was locked before. */
export async function saveFields(tx: Tx, client: Client): Promise<Client> {
  const { partner_id, id, company, external_id, contact, plan, mrr_cents, currency, branding, tags, metadata } = client;
  const values = [partner_id, id, company, external_id, contact, plan, mrr_cents, currency, branding, tags, metadata, tx.now];
  const [row] = await refusingDuplicates(tx.query<Client>(updateStatement, values));
  return row ?? fail("not_found");
}

const statusStatement = statement(`
  with c as (
    update clients set status = $3::text, status_reason = $4, status_changed_at = $5::timestamptz, updated_at = $5, version = version + 1,
      activated_at = case when $3 = 'active' then $5 else activated_at end,
      suspended_at = case when $3 = 'suspended' then $5 else suspended_at end,
      churned_at = case when $3 = 'churned' then $5 else churned_at end
    where partner_id = $1 and id = $2
    returning *
  )
  select ${CLIENT} from c join partners p on p.id = c.partner_id`);

/** Saves the status of a client that was locked before. */
export async function saveStatus(tx: Tx, client: Client, status: ClientStatus, reason: string | null): Promise<Client> {
  const [row] = await tx.query<Client>(statusStatement, [client.partner_id, client.id, status, reason, tx.now]);
  return row ?? fail("not_found");
}

const unknownStatement = statement(`
  select w.id from unnest($2::text[]) as w (id)
  where not exists (select 1 from clients c where c.partner_id = $1 and c.id = w.id and ($3::text[] is null or c.id = any ($3)))`);

/** Those of some client ids that the caller does not have. */
export async function unknownClients(db: Queryable, scope: TenantScope, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(unknownStatement, [scope.partner_id, ids, boundClients(scope)]);
  return rows.map(({ id }) => id);
}

const externalIdOwner = statement("select id from clients where partner_id = $1 and external_id = $2");

/** Whose the external id is, for the refusal of a second one. */
export async function clientWithExternalId(db: Queryable, scope: TenantScope, external_id: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(externalIdOwner, [scope.partner_id, external_id]);
  return row?.id ?? null;
}

/** A unique index was hit: the caller finds out by whom, outside the failed transaction. */
export class ExternalIdTaken extends Error {}

async function refusingDuplicates<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw violatedConstraint(error) === "clients_external_id" ? new ExternalIdTaken("external_id", { cause: error }) : error;
  }
}
