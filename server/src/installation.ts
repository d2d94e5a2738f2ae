import { randomBytes } from "node:crypto";
import { access, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Connection } from "./platform/db/connection.ts";
import { leadsToCluster } from "./platform/db/distribution.ts";
import { type Migration, migrate, NEWEST_MIGRATION, readMigrations, UnsupportedDatabase } from "./platform/db/migrate.ts";
import { makeSandboxWorld } from "./platform/db/sandbox-world.ts";
import { type Queryable, statement } from "./platform/db/statement.ts";
import { joinEmbedded } from "./platform/postgres/index.ts";

export const MIGRATIONS = new URL("../migrations/", import.meta.url);

const newestMigration = statement(NEWEST_MIGRATION);

/** A problem that the administrator of the installation can fix. */
export class StartError extends Error {}

/** The database logins: the owner migrates, the service reads and writes, the sandbox reads one account at a time. */
export type Logins = {
  owner: Connection;
  service: Connection;
  /** For the reads of the sandbox; null: it uses that of the service. */
  sandbox: Connection | null;
  release(): Promise<void>;
};

/** The logins of the configured database: a server, or the embedded one, which is started if it is not running. */
export async function openLogins(config: Config, warn: (message: string) => void): Promise<Logins> {
  if (config.database_url === null) {
    const embedded = await joinEmbedded({ dataDir: config.data_dir, log: warn });
    // PGSSLMODE must not apply here: the Unix socket has no TLS.
    const login = (name: "owner" | "service" | "sandbox") => ({ ...embedded.connection(name), ssl: false });
    return { owner: login("owner"), service: login("service"), sandbox: login("sandbox"), release: () => embedded.leave() };
  }
  const address = connectionOf(config.database_url);
  // A database that cannot be reached is explained where it is used.
  const service = { ...address, distributed: await leadsToCluster(address).catch(() => false) };
  const owner = config.database_owner_url === null ? service : connectionOf(config.database_owner_url);
  const sandbox = config.sandbox_database_url === null ? null : connectionOf(config.sandbox_database_url);
  return { owner, service, sandbox, release: async () => undefined };
}

function connectionOf(url: string): Connection {
  return { connectionString: url, user: decodeURIComponent(new URL(url).username) };
}

/** Applies all pending migrations. */
export async function migrateDatabase({
  owner,
  service,
  sandbox,
}: Logins): Promise<{ applied: string[]; newest: Migration | undefined }> {
  const migrations = await readMigrations(MIGRATIONS);
  const applied = await migrate(owner, migrations, String(service.user ?? "")).catch(explainDatabase);
  if (sandbox !== null) await makeSandboxWorld(owner, String(service.user), String(sandbox.user)).catch(explainDatabase);
  return { applied, newest: migrations.at(-1) };
}

/** The newest migration of a database; 0 if it has none. */
export async function migrationOf(db: Queryable): Promise<number> {
  try {
    return (await db.query<{ number: number }>(newestMigration))[0]?.number ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === "42P01") return 0;
    throw error;
  }
}

/** The newest migration of this version. */
export async function newestKnownMigration(): Promise<number> {
  return (await readMigrations(MIGRATIONS)).at(-1)?.number ?? 0;
}

/** Throws unless the database is at the newest migration of this version. */
export async function requireCurrent(db: Queryable): Promise<void> {
  const [has, knows] = await Promise.all([migrationOf(db), newestKnownMigration()]);
  if (has === knows) return;
  throw new StartError(
    has < knows
      ? `The database is at migration ${has}, this version needs ${knows}. Run tributary migrate first.`
      : `The database is at migration ${has}, this version only knows ${knows}. Use the version that migrated it, or a newer one.`,
  );
}

/** Reports the server's message without a stack: the administrator can fix the login, the address and the privileges. */
export function explainDatabase(error: unknown): never {
  const { message, cause } = error as Error;
  if (error instanceof UnsupportedDatabase) throw new StartError(message);
  if (cause !== undefined) throw error;
  throw new StartError(
    `The database cannot be connected to or migrated: ${message}. Check DATABASE_URL and DATABASE_OWNER_URL, and that the server is running.`,
  );
}

export function secretKeyFile(data_dir: string): string {
  return join(data_dir, "secret.key");
}

/** The key that encrypts secrets: SECRET_KEY, or the one in DATA_DIR, which is generated on first use. */
export async function secretKeyOf(config: Config): Promise<string> {
  if (config.secret_key !== null) return config.secret_key;
  const file = secretKeyFile(config.data_dir);
  if (!(await exists(file))) await makeSecretKey(file);
  const key = await readFile(file, "utf8");
  if (key.length < 32)
    throw new StartError(
      `${file} is damaged. Restore the original key, or remove the file if nothing has been encrypted with it yet.`,
    );
  return key;
}

/** Atomic: of several processes that start at once, one links its draft, and all read that one. */
async function makeSecretKey(file: string): Promise<void> {
  const draft = `${file}.${process.pid}.draft`;
  try {
    await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
