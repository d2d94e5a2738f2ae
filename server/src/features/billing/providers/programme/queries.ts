import { listIdentity } from "../../../../kernel/page.ts";
import { OPERATOR_TENANT } from "../../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { byCreation, keysetPage } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { UsableProvider } from "../adapter.ts";
import { type Sealed, type SealedProvider, SHOWN_SO } from "../queries.ts";
import { type ProgrammeProviderListQuery, type ProgrammeProviderShown, ProgrammeProvider as Schema } from "../schema.ts";

const PROVIDER_JSON = rowJson(Schema, SHOWN_SO);

/** A provider of the operator as the API shows it, with its JSON. */
export type ProgrammeProvider = ProgrammeProviderShown & { json: string };

export const FIELDS = ["name", "status"] as const;
const INSERTED = ["id", "kind", "config", "token", "secrets", "live", ...FIELDS, "created_at", "updated_at"] as const;
const insertStatement = statement(`
  with c as (insert into programme_providers ${insertValues(INSERTED)} returning *) select ${PROVIDER_JSON} as json from c`);

type New = Pick<ProgrammeProviderShown, "id" | "kind" | "config" | "name" | "status"> & Sealed & { token: string | null };

export async function insertProgrammeProvider(tx: Tx, provider: New): Promise<ProgrammeProvider> {
  const row = { ...provider, config: JSON.stringify(provider.config), created_at: tx.now, updated_at: tx.now };
  return saved(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

function saved(rows: { json: string }[]): ProgrammeProvider {
  const provider = parsedRow<ProgrammeProviderShown>(rows);
  if (provider === null) throw new Error("the provider was not saved");
  return provider;
}

const byId = statement(`select ${PROVIDER_JSON} as json from programme_providers c where c.id = $1`);
const lockById = statement(`select ${PROVIDER_JSON} as json from programme_providers c where c.id = $1 for update`);

export async function programmeProviderOrNull(db: Queryable, id: string): Promise<ProgrammeProvider | null> {
  return parsedRow<ProgrammeProviderShown>(await db.query(byId, [id]));
}

export async function programmeProviderForUpdateOrNull(tx: Queryable, id: string): Promise<ProgrammeProvider | null> {
  return parsedRow<ProgrammeProviderShown>(await tx.query(lockById, [id]));
}

const SAVED = [...FIELDS, "archived_at", "updated_at"] as const;
const saveStatement = statement(`
  with c as (
    update programme_providers set ${assignments(SAVED, 2)}, version = version + 1 where id = $1
    returning *
  )
  select ${PROVIDER_JSON} as json from c`);

/** Saves a locked provider. */
export async function saveProgrammeProvider(tx: Tx, provider: ProgrammeProviderShown): Promise<ProgrammeProvider> {
  const { id, name, status, archived_at } = provider;
  return saved(await tx.query(saveStatement, [id, name, status, archived_at, tx.now]));
}

const secretsStatement = statement("update programme_providers set secrets = $2, live = $3 where id = $1");

/** Stores the sealed secrets of a locked provider. */
export async function saveProgrammeSecrets(tx: Queryable, id: string, { secrets, live }: Sealed): Promise<void> {
  await tx.query(secretsStatement, [id, secrets, live]);
}

export function programmeProvidersPage(db: Queryable, query: ProgrammeProviderListQuery): Promise<{ json: string }> {
  const { archived = false } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("programme-providers", { archived }),
      table: "programme_providers",
      json: PROVIDER_JSON,
      sort: byCreation(true),
      conditions: () => [archived ? "c.archived_at is not null" : "c.archived_at is null"],
    },
    query,
  );
}

const USABLE = `'${OPERATOR_TENANT}' as partner_id, c.id, null as account_id, c.kind, c.config, c.live`;
const usableStatement = statement(`
  select ${USABLE} from programme_providers c where c.archived_at is null and c.status = 'active' order by c.id limit 10`);

/** The operator's providers that payments can start with. */
export function programmeProviders(db: Queryable): Promise<UsableProvider[]> {
  return db.query(usableStatement);
}

const sealedById = statement(`select ${USABLE}, c.secrets from programme_providers c where c.id = $1`);

/** A provider of the operator, whatever its status: what has started goes on. */
export async function sealedProgrammeProviderOrNull(db: Queryable, id: string): Promise<SealedProvider | null> {
  return (await db.query<SealedProvider>(sealedById, [id]))[0] ?? null;
}

const knownById = statement("select 1 as found from programme_providers c where c.id = $1");

/** Whether money that came by a provider is the operator's. */
export async function isProgrammeProvider(db: Queryable, id: string): Promise<boolean> {
  return (await db.query(knownById, [id])).length > 0;
}
