import { randomBytes } from "node:crypto";
import { access, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Connection } from "./platform/db/connection.ts";
import { type Migration, migrate, NEWEST_MIGRATION, readMigrations, UnsupportedDatabase } from "./platform/db/migrate.ts";
import { type Queryable, statement } from "./platform/db/statement.ts";
import { joinEmbedded } from "./platform/postgres/index.ts";

export const MIGRATIONS = new URL("../migrations/", import.meta.url);

const newestMigration = statement(NEWEST_MIGRATION);

/** Something that the one who runs the installation can mend. */
export class StartError extends Error {}

/** The two logins of the database: the owner's migrates, the service's works. */
export type Logins = { owner: Connection; service: Connection; release(): Promise<void> };

/** Reaches the database that the configuration names: a server, or the embedded one, which is started if need be. */
export async function openLogins(config: Config, warn: (message: string) => void): Promise<Logins> {
  if (config.database_url === null) {
    const embedded = await joinEmbedded({ dataDir: config.data_dir, log: warn });
    // A PGSSLMODE of the environment is meant for other servers: on our socket there is no TLS.
    const login = (name: "owner" | "service") => ({ ...embedded.connection(name), ssl: false });
    return { owner: login("owner"), service: login("service"), release: () => embedded.leave() };
  }
  const service = connectionOf(config.database_url);
  const owner = config.database_owner_url === null ? service : connectionOf(config.database_owner_url);
  return { owner, service, release: async () => undefined };
}

function connectionOf(url: string): Connection {
  return { connectionString: url, user: decodeURIComponent(new URL(url).username) };
}

/** Brings the database to the newest migration of this code. */
export async function migrateDatabase({ owner, service }: Logins): Promise<{ applied: string[]; newest: Migration | undefined }> {
  const migrations = await readMigrations(MIGRATIONS);
  const applied = await migrate(owner, migrations, String(service.user ?? "")).catch(explainDatabase);
  return { applied, newest: migrations.at(-1) };
}

/** The newest migration that a database has; 0 where it has none. */
export async function migrationOf(db: Queryable): Promise<number> {
  try {
    return (await db.query<{ number: number }>(newestMigration))[0]?.number ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === "42P01") return 0;
    throw error;
  }
}

/** The newest migration that this code has. */
export async function newestKnownMigration(): Promise<number> {
  return (await readMigrations(MIGRATIONS)).at(-1)?.number ?? 0;
}

/** Refuses a database that is at another migration than this code. */
export async function requireCurrent(db: Queryable): Promise<void> {
  const [has, knows] = await Promise.all([migrationOf(db), newestKnownMigration()]);
  if (has === knows) return;
  throw new StartError(
    has < knows
      ? `The database is at migration ${has} and this program at ${knows}. Run tributary migrate first.`
      : `The database is at migration ${has} and this program only at ${knows}. Use the program that migrated it, or a newer one.`,
  );
}

/** What the server said, without our stack: the login, the address and the rights are for the one who runs it to mend. */
export function explainDatabase(error: unknown): never {
  const { message, cause } = error as Error;
  if (error instanceof UnsupportedDatabase) throw new StartError(message);
  if (cause !== undefined) throw error;
  throw new StartError(
    `The database did not let us in or migrate it: ${message}. Check DATABASE_URL and DATABASE_OWNER_URL, and that the server runs.`,
  );
}

export function secretKeyFile(data_dir: string): string {
  return join(data_dir, "secret.key");
}

/** The key that seals secrets: the configured one, or the one that the embedded database keeps and makes at first. */
export async function secretKeyOf(config: Config): Promise<string> {
  if (config.secret_key !== null) return config.secret_key;
  const file = secretKeyFile(config.data_dir);
  if (!(await exists(file))) await makeSecretKey(file);
  const key = await readFile(file, "utf8");
  if (key.length < 32)
    throw new StartError(`${file} is damaged: put the key back that was there, or remove it if nothing has been sealed yet.`);
  return key;
}

/** Whole or not there, and made once: of several processes that boot together one links its draft, and all read that. */
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
