import { fail } from "../../kernel/errors.ts";
import { boundClients, type TenantScope } from "../../kernel/principal.ts";
import { violatedConstraint } from "../../platform/db/connection.ts";
import { type Queryable, statement } from "../../platform/db/statement.ts";
import type { Tx } from "../../platform/record/context.ts";
import type { Client, ClientStatus } from "./model.ts";

/** A client as the API shows it, from a row `c` and its partner `p`: branding is the partner's under the client's own. */
const CLIENT_JSON = `(select row_to_json(x)::text from (select
    c.id, c.partner_id, c.house, c.company, c.external_id, c.contact, c.plan, c.mrr_cents, c.currency,
    c.status, c.status_reason, wire_time(c.status_changed_at) as status_changed_at,
    case when c.branding is null then p.branding else p.branding || c.branding end as branding,
    case when c.branding is null then 'partner' else 'override' end as branding_source,
    '[]'::json as snapshots, c.metadata,
    wire_time(c.activated_at) as activated_at, wire_time(c.suspended_at) as suspended_at, wire_time(c.churned_at) as churned_at,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version) x)`;

const CLIENT_COLUMNS = `c.partner_id, c.id, c.house, c.company, c.external_id, c.contact, c.plan, c.mrr_cents, c.currency,
    c.status, c.status_reason, c.branding, c.metadata, c.created_at, c.version`;

const clientById = statement(`
  select ${CLIENT_JSON} as json, c.id, c.version
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))`);

/** One client that the caller may see, as the API shows it. */
export async function clientOrNull(db: Queryable, scope: TenantScope, id: string) {
  const [row] = await db.query<{ json: string; id: string; version: number }>(clientById, [
    scope.partner_id,
    id,
    boundClients(scope),
  ]);
  return row ?? null;
}

const lockClient = statement(`
  select ${CLIENT_COLUMNS}, ${CLIENT_JSON} as json
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))
  for no key update of c`);

/** One client that the caller may change, locked until the transaction ends. */
export async function clientForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Client | null> {
  const [row] = await tx.query<Client>(lockClient, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const insertStatement = statement(`
  with c as (
    insert into clients (partner_id, id, house, company, external_id, contact, plan, mrr_cents, currency, branding, metadata,
      status, status_changed_at, activated_at, created_at, updated_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, p.currency), $10, $11, $12::text, $13::timestamptz, case when $12 = 'active' then $13::timestamptz end, $13, $13
    from partners p where p.id = $1
    returning *
  )
  select ${CLIENT_COLUMNS}, ${CLIENT_JSON} as json from c join partners p on p.id = c.partner_id`);

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
  metadata: object;
  status: ClientStatus;
};

export async function insertClient(tx: Tx, scope: TenantScope, client: NewClient): Promise<Client> {
  const { id, house, company, external_id, contact, plan, mrr_cents, currency, branding, metadata, status } = client;
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
    metadata,
    status,
    tx.now,
  ];
  const [row] = await refusingDuplicates(tx.query<Client>(insertStatement, values));
  if (row === undefined) throw new Error(`no partner ${scope.partner_id}`);
  return row;
}

const updateStatement = statement(`
  with c as (
    update clients set company = $3, external_id = $4, contact = $5, plan = $6, mrr_cents = $7, currency = $8, branding = $9,
      metadata = $10, updated_at = $11, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${CLIENT_COLUMNS}, ${CLIENT_JSON} as json from c join partners p on p.id = c.partner_id`);

/** Saves the fields of a client that was locked before. */
export async function saveFields(tx: Tx, client: Client): Promise<Client> {
  const { partner_id, id, company, external_id, contact, plan, mrr_cents, currency, branding, metadata } = client;
  const values = [partner_id, id, company, external_id, contact, plan, mrr_cents, currency, branding, metadata, tx.now];
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
  select ${CLIENT_COLUMNS}, ${CLIENT_JSON} as json from c join partners p on p.id = c.partner_id`);

/** Saves the status of a client that was locked before. */
export async function saveStatus(tx: Tx, client: Client, status: ClientStatus, reason: string | null): Promise<Client> {
  const [row] = await tx.query<Client>(statusStatement, [client.partner_id, client.id, status, reason, tx.now]);
  return row ?? fail("not_found");
}

export type ClientListFilter = {
  status?: readonly ClientStatus[];
  include_house: boolean;
  ascending: boolean;
  after: string | null;
  limit: number;
};

/**
 * A page of clients in the order of their creation, which is that of their ids, and one more to tell whether the list
 * goes on. Only the filters given are in the statement, so that each form gets the plan of its own index.
 */
export async function clientsPage(db: Queryable, scope: TenantScope, filter: ClientListFilter) {
  const values: unknown[] = [scope.partner_id, filter.limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const bound = boundClients(scope);
  const [only] = filter.status?.length === 1 ? filter.status : [];
  const conditions = [
    bound === null ? "" : `and c.id = any (${place(bound)})`,
    filter.include_house ? "" : "and not c.house",
    filter.after === null ? "" : `and c.id ${filter.ascending ? ">" : "<"} ${place(filter.after)}`,
    only !== undefined
      ? `and c.status = ${place(only)}`
      : filter.status === undefined
        ? ""
        : `and c.status = any (${place(filter.status)})`,
  ];
  return db.query<{ id: string; json: string }>(
    statement(`
  select c.id, ${CLIENT_JSON} as json
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 ${conditions.filter(Boolean).join(" ")}
  order by c.id ${filter.ascending ? "asc" : "desc"}
  limit $2`),
    values,
  );
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
