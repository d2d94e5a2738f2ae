import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { UsableProvider } from "./adapter.ts";
import { type ProviderListQuery, Provider as ProviderSchema, type ProviderShown } from "./schema.ts";

/** How both tables of providers show what is stored otherwise. */
export const SHOWN_SO = {
  secrets_set: "(c.secrets is not null)",
  hook_path: "('/hooks/payments/' || c.token)",
};
const PROVIDER_JSON = rowJson(ProviderSchema, SHOWN_SO);

/** A provider as the API shows it, with its JSON. */
export type Provider = ProviderShown & { json: string };

export const PROVIDER_FIELDS = ["name", "status", "config"] as const;

const FIXED = ["account_id", "kind", "token", "secrets", "live"] as const;
const INSERTED = ["partner_id", "id", ...FIXED, ...PROVIDER_FIELDS, "created_at", "updated_at"] as const;
const insertStatement = statement(`
  with c as (insert into payment_providers ${insertValues(INSERTED)} returning *) select ${PROVIDER_JSON} as json from c`);

/** What a provider keeps to itself, and what follows from it. */
export type Sealed = { secrets: Buffer | null; live: boolean };

export type NewProvider = Pick<ProviderShown, "id" | "account_id" | "kind" | (typeof PROVIDER_FIELDS)[number]> &
  Sealed & { token: string | null };

export async function insertProvider(tx: Tx, { partner_id }: TenantScope, provider: NewProvider): Promise<Provider> {
  const row = { ...provider, config: JSON.stringify(provider.config), partner_id, created_at: tx.now, updated_at: tx.now };
  return saved(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

function saved(rows: { json: string }[]): Provider {
  const provider = parsedRow<ProviderShown>(rows);
  if (provider === null) throw new Error("the provider was not saved");
  return provider;
}

/** Providers of all accounts can be seen with every key of the partner: payments of its accounts use them. */
const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id is null or c.account_id = any ($3))";
const providerById = statement(`select ${PROVIDER_JSON} as json from payment_providers c where ${VISIBLE}`);
const lockProvider = statement(`select ${PROVIDER_JSON} as json from payment_providers c where ${VISIBLE} for update`);

export async function providerOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Provider | null> {
  return parsedRow<ProviderShown>(await db.query(providerById, [scope.partner_id, id, boundClients(scope)]));
}

export async function providerForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Provider | null> {
  return parsedRow<ProviderShown>(await tx.query(lockProvider, [scope.partner_id, id, boundClients(scope)]));
}

const saveStatement = statement(`
  with c as (
    update payment_providers set ${assignments([...PROVIDER_FIELDS, "archived_at", "updated_at"], 3)}, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${PROVIDER_JSON} as json from c`);

/** Saves a locked provider. */
export async function saveProvider(tx: Tx, { partner_id }: TenantScope, provider: ProviderShown): Promise<Provider> {
  const fields = valuesOf({ ...provider, config: JSON.stringify(provider.config) }, PROVIDER_FIELDS);
  return saved(await tx.query(saveStatement, [partner_id, provider.id, ...fields, provider.archived_at, tx.now]));
}

export function providersPage(db: Queryable, scope: TenantScope, query: ProviderListQuery) {
  const { account_id, archived = false } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("payment-providers", { account_id, archived }),
      table: "payment_providers",
      json: PROVIDER_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        archived ? "c.archived_at is not null" : "c.archived_at is null",
        ...(accounts === null
          ? []
          : [
              account_id === undefined
                ? `(c.account_id is null or c.account_id = any (${place(accounts)}))`
                : anyOf("c.account_id", accounts, place),
            ]),
      ],
    },
    query,
  );
}

const secretsStatement = statement("update payment_providers set secrets = $3, live = $4 where partner_id = $1 and id = $2");

/** Stores the sealed secrets of a locked provider. */
export async function saveSecrets(tx: Queryable, { partner_id }: TenantScope, id: string, { secrets, live }: Sealed) {
  await tx.query(secretsStatement, [partner_id, id, secrets, live]);
}

const USABLE = "c.partner_id, c.id, c.account_id, c.kind, c.config, c.live";
const usableStatement = statement(`
  select ${USABLE} from payment_providers c
  where c.partner_id = $1 and ($2::text is null or c.account_id = $2 or c.account_id is null) and c.archived_at is null and c.status = 'active'
    and ($3::text is null or c.id = $3)
  order by c.account_id nulls last, c.id`);

/** The providers that payments to an account, or to any, can start with, its own first; one of them alone if it is named. */
export function usableProviders(
  db: Queryable,
  { partner_id }: Pick<TenantScope, "partner_id">,
  account_id: string | null,
  id: string | null,
): Promise<UsableProvider[]> {
  return db.query(usableStatement, [partner_id, account_id, id]);
}

export type SealedProvider = UsableProvider & { secrets: Buffer | null };

const sealedById = statement(`select ${USABLE}, c.secrets from payment_providers c where c.partner_id = $1 and c.id = $2`);

/** A provider, whatever its status: what has started goes on. */
export async function sealedProviderOrNull(db: Queryable, partner_id: string, id: string): Promise<SealedProvider | null> {
  return (await db.query<SealedProvider>(sealedById, [partner_id, id]))[0] ?? null;
}
