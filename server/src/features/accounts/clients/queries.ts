import { fail } from "../../../kernel/errors.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { steadyStatement } from "../../../platform/db/assumptions.ts";
import { assignments, columnsOf, insertValues, jsonOf, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { violatedConstraint } from "../../../platform/db/connection.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { CLIENT_FIELDS, type Client, type ClientFields, type ClientSnapshot, type ClientStatus } from "./model.ts";
import { Client as ClientSchema } from "./schema.ts";

/** A client as the API shows it, from a row `c` and its partner `p`: a client's branding overrides the partner's, member by member. */
export const CLIENT_JSON = rowJson(ClientSchema, {
  branding: "case when c.branding is null then p.branding else p.branding || c.branding end",
  branding_source: "case when c.branding is null then 'partner' else 'override' end",
});

/** The partner's branding is part of the representation, so the ETag includes the partner's version. */
const CLIENT_ETAG = "c.version || '-' || p.version";

const CLIENT = `${columnsOf("c", ["partner_id", "id", "house", ...CLIENT_FIELDS, "status", "status_reason", "created_at", "version"])},
    ${CLIENT_ETAG} as etag, ${CLIENT_JSON} as json`;

const clientById = statement(`
  select ${CLIENT_JSON} as json, c.id, c.version, ${CLIENT_ETAG} as etag
  from clients c join partners p on p.id = $1
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))`);

/** One client within the caller's scope, as the API shows it. */
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
  from clients c join partners p on p.id = $1
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))
  for no key update of c`);

/** One client within the caller's scope, locked until the transaction ends. */
export async function clientForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Client | null> {
  const [row] = await tx.query<Client>(lockClient, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const lockClients = statement(`
  select ${CLIENT}
  from clients c join partners p on p.id = $1
  where c.partner_id = $1 and c.id = any ($2) and ($3::text[] is null or c.id = any ($3))
  order by c.id
  for no key update of c`);

/** Those of some clients within the caller's scope, locked in the order of their ids to avoid deadlocks. */
export function clientsForUpdate(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<Client[]> {
  return tx.query<Client>(lockClients, [scope.partner_id, ids, boundClients(scope)]);
}

/** What a new account consists of. */
export const INSERTED = [
  "partner_id",
  "id",
  "house",
  ...CLIENT_FIELDS,
  "snapshots",
  "status",
  "status_changed_at",
  "activated_at",
  "created_at",
  "updated_at",
] as const;

const insertStatement = statement(`insert into clients ${insertValues(INSERTED)}`);

/** What a partner adds to how its clients are shown. */
type PartnerOfClient = { branding: object; version: number };
const partnerStatement = steadyStatement<PartnerOfClient>("select p.branding, p.version from partners p where p.id = $1", {
  of: ({ version }) => version,
  same: "exists (select from partners p where p.id = $1 and p.version = $2)",
});

const clientJson = jsonOf(ClientSchema);

export type NewClient = ClientFields & Pick<Client, "id" | "house" | "status"> & { snapshots: readonly ClientSnapshot[] };

/** Adds an account. */
export async function insertClient(tx: Tx, { partner_id }: TenantScope, client: NewClient): Promise<Client> {
  const row = {
    ...client,
    partner_id,
    activated_at: client.status === "active" ? tx.now : null,
    status_changed_at: tx.now,
    created_at: tx.now,
    updated_at: tx.now,
  };
  const values = valuesOf({ ...row, snapshots: JSON.stringify(client.snapshots) }, INSERTED);
  const shown = tx.recall<PartnerOfClient>(partnerStatement, [partner_id]);
  const inserted = tx.assuming
    ? tx.send({ statement: insertStatement, values })
    : detectDuplicates(tx.query(insertStatement, values));
  const [[partner]] = await Promise.all([shown, inserted]);
  if (partner === undefined) throw new Error(`no partner ${partner_id}`);
  const brand =
    client.branding === null
      ? { branding: partner.branding, branding_source: "partner" }
      : { branding: { ...partner.branding, ...client.branding }, branding_source: "override" };
  const saved = { ...row, status_reason: null, version: 1 };
  return { ...saved, etag: `1-${partner.version}`, json: clientJson({ ...saved, ...brand }) };
}

const partnerCurrency = statement("select p.currency from partners p where p.id = $1");

/** The currency of a new account that names none. */
export async function defaultCurrency(tx: Queryable, { partner_id }: TenantScope): Promise<string> {
  const [partner] = await tx.query<{ currency: string }>(partnerCurrency, [partner_id]);
  if (partner === undefined) throw new Error(`no partner ${partner_id}`);
  return partner.currency;
}

const updateStatement = statement(`
  with c as (
    update clients set ${assignments([...CLIENT_FIELDS, "updated_at"], 3)}, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${CLIENT} from c join partners p on p.id = $1`);

/** Saves the fields of a client that was locked before. */
export async function updateFields(tx: Tx, client: Client): Promise<Client> {
  const values = [client.partner_id, client.id, ...valuesOf(client, CLIENT_FIELDS), tx.now];
  const [row] = await detectDuplicates(tx.query<Client>(updateStatement, values));
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
  select ${CLIENT} from c join partners p on p.id = $1`);

/** Saves the status of a client that was locked before. */
export async function saveStatus(tx: Tx, client: Client, status: ClientStatus, reason: string | null): Promise<Client> {
  const [row] = await tx.query<Client>(statusStatement, [client.partner_id, client.id, status, reason, tx.now]);
  return row ?? fail("not_found");
}

const unknownStatement = statement(`
  select w.id from unnest($2::text[]) as w (id)
  where not exists (select 1 from clients c where c.partner_id = $1 and c.id = w.id and ($3::text[] is null or c.id = any ($3)))`);

/** Those of some client ids that are not within the caller's scope. */
export async function unknownClients(db: Queryable, scope: TenantScope, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(unknownStatement, [scope.partner_id, ids, boundClients(scope)]);
  return rows.map(({ id }) => id);
}

const idByExternalId = statement("select id from clients where partner_id = $1 and external_id = $2");

/** The id of the client that has an external id. */
export async function clientIdByExternalIdOrNull(db: Queryable, scope: TenantScope, external_id: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(idByExternalId, [scope.partner_id, external_id]);
  return row?.id ?? null;
}

/** The unique index was violated. The caller looks up the other client outside the failed transaction. */
export class DuplicateExternalId extends Error {}

async function detectDuplicates<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw violatedConstraint(error) === "clients_external_id" ? new DuplicateExternalId("external_id", { cause: error }) : error;
  }
}
