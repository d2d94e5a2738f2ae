import { randomBytes } from "node:crypto";
import { access, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { runFirst } from "./features/first-run/index.ts";
import type { Connection } from "./platform/db/connection.ts";
import { migrate, readMigrations, UnfitDatabase } from "./platform/db/migrate.ts";
import { announcePresence, type Presence } from "./platform/db/presence.ts";
import type { Logger } from "./platform/observe/log.ts";
import { joinEmbedded } from "./platform/postgres/index.ts";

export const MIGRATIONS = new URL("../migrations/", import.meta.url);

/** Connections of the pool by role: the readers come on top, and 200 is what the embedded database allows. */
const CONNECTIONS_MAX = { api: 16, worker: 8, all: 16 };

/** Something that the one who starts the service can mend. */
export class StartError extends Error {}

export type Service = { base_url: string; first_run: boolean; stop(): Promise<void> };

export type Logins = { owner: Connection; service: Connection; release(): Promise<void> };

/** Database, migrations, application, port, first run: in that order, and taken down again if one fails. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  await mkdir(config.data_dir, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`DATA_DIR ${config.data_dir} cannot be made (${error.code}). Choose a folder that you may write to.`);
  });
  const logins = await openLogins(config, (message) => log.warn(message));
  let app: App | null = null;
  let presence: Presence | null = null;
  try {
    presence = await announce(logins.service);
    const migrations = await readMigrations(MIGRATIONS);
    await migrate(logins.owner, migrations, String(logins.service.user ?? "")).catch(explainDatabase);
    let base_url = config.base_url ?? addressOf(config.host, config.port);
    app = await createApp({
      connection: logins.service,
      connections_max: CONNECTIONS_MAX[config.role],
      secret_key: config.secret_key ?? (await keptSecretKey(config.data_dir)),
      baseUrl: () => base_url,
      migration: migrations.at(-1)?.number ?? 0,
      log,
      role: config.role,
      docs_access: config.docs_access,
      rate_limits: config.rate_limits,
      jobs: { owner: logins.owner, maintenance_at: config.maintenance_at },
    });
    const port = await listen(app, config);
    base_url = config.base_url ?? addressOf(config.host, port);
    const first_run = await runFirst(app.services, { data_dir: config.data_dir, base_url, seed: config.seed }).catch((error) =>
      explainFolder(error, config.data_dir),
    );
    app.setReadiness("ready");
    const running = app;
    const announced = presence;
    return {
      base_url,
      first_run,
      async stop() {
        await running.close();
        await announced.leave();
        await logins.release();
      },
    };
  } catch (error) {
    await app?.close();
    await presence?.leave();
    await logins.release();
    throw error;
  }
}

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

/** Before anything else: a restore replaces every table under whoever works with them. */
async function announce(service: Connection): Promise<Presence> {
  const presence = await announcePresence(service).catch(explainDatabase);
  if (presence === null) throw new StartError("A restore is under way on this database. Start again when it is through.");
  return presence;
}

/** What the server said, without our stack: the login, the address and the rights are for the one who runs it to mend. */
function explainDatabase(error: unknown): never {
  const { message, cause } = error as Error;
  if (error instanceof UnfitDatabase) throw new StartError(message);
  if (cause !== undefined) throw error;
  throw new StartError(
    `The database did not let us in or migrate it: ${message}. Check DATABASE_URL and DATABASE_OWNER_URL, and that the server runs.`,
  );
}

function explainFolder(error: unknown, data_dir: string): never {
  const { code, path } = error as NodeJS.ErrnoException;
  if (path?.startsWith(data_dir) !== true) throw error;
  throw new StartError(`DATA_DIR ${data_dir} cannot be written to (${code}). Choose a folder that you may write to.`);
}

function connectionOf(url: string): Connection {
  return { connectionString: url, user: decodeURIComponent(new URL(url).username) };
}

async function keptSecretKey(data_dir: string): Promise<string> {
  const file = join(data_dir, "secret.key");
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

async function listen(app: App, { host, port }: Config): Promise<number> {
  try {
    await app.http.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new StartError(`Port ${port} on ${host} is taken. Set PORT to a free one, for example: PORT=${port + 1} npm start`);
    if (code === "EACCES") throw new StartError(`Port ${port} needs more rights than this user has. Set PORT to one above 1023.`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") throw new StartError(`HOST ${host} is not an address of this machine.`);
    throw error;
  }
  const address = app.http.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
