import { mkdir } from "node:fs/promises";
import { type App, createApp } from "./app.ts";
import { baseUrlOf, type Config, LOOPBACK } from "./config.ts";
import { makeDemoLink, runFirst } from "./features/first-run/index.ts";
import { explainDatabase, migrateDatabase, openLogins, StartError, secretKeyOf } from "./installation.ts";
import type { Connection } from "./platform/db/connection.ts";
import { announcePresence, type Presence } from "./platform/db/presence.ts";
import type { Logger } from "./platform/observe/log.ts";
import { createShutdown, type Shutdown } from "./platform/shutdown.ts";

export { MIGRATIONS } from "./installation.ts";

/** Pool size by role, without the two readers and six writers. The embedded database allows 200 connections. */
const CONNECTIONS_MAX = { api: 18, worker: 8, all: 18 };

export type Service = {
  base_url: string;
  first_run: boolean;
  /** On this machine alone, with demo data: a link that signs in without a password. */
  demo_link: string | null;
  shutdown: Shutdown;
};

/** Starts database, migrations, application, port and first run in this order, and undoes them if one fails. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  await mkdir(config.data_dir, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`DATA_DIR ${config.data_dir} cannot be created (${error.code}). Choose a writable folder.`);
  });
  const logins = await openLogins(config, (message) => log.warn(message));
  let app: App | null = null;
  let presence: Presence | null = null;
  try {
    presence = await announce(logins.service);
    const { newest } = await migrateDatabase(logins);
    let base_url = baseUrlOf(config);
    app = await createApp({
      connection: logins.service,
      sandbox: logins.sandbox,
      connections_max: CONNECTIONS_MAX[config.role],
      secret_key: await secretKeyOf(config),
      baseUrl: () => base_url,
      migration: newest?.number ?? 0,
      log,
      role: config.role,
      trusted_proxies: config.trusted_proxies,
      docs_access: config.docs_access,
      metrics_access: config.metrics_access,
      settings: { brand: config.brand, egress: config.egress, egress_ports: config.egress_ports, demo: config.seed === "demo" },
      rate_limits: config.rate_limits,
      mail: config.mail ?? undefined,
      jobs: { owner: logins.owner, maintenance_at: config.maintenance_at },
    });
    // Of a login that was configured, one is told at once that it is not used.
    if (config.sandbox_database_url !== null) await app.services.sandbox.login();
    const port = await listen(app, config);
    base_url = baseUrlOf({ ...config, port });
    if (config.smtp_listen !== null) await listenForMail(app, config.smtp_listen);
    const first_run = await runFirst(app.services, { data_dir: config.data_dir, base_url, seed: config.seed }).catch((error) =>
      explainFolder(error, config.data_dir),
    );
    const demo_link = isLocalDemo(config) ? await makeDemoLink(app.services) : null;
    app.setReadiness("ready");
    const shutdown = createShutdown([
      ...app.steps,
      { name: "presence", end: presence.leave },
      { name: "database server", end: logins.release },
    ]);
    return { base_url, first_run, demo_link, shutdown };
  } catch (error) {
    await app?.close();
    await presence?.leave();
    await logins.release();
    throw error;
  }
}

/** Whether only this machine reaches the service, so that whoever sees its output may use the demo. */
function isLocalDemo(config: Config): boolean {
  const { hostname } = new URL(baseUrlOf(config));
  return config.seed === "demo" && config.role !== "worker" && [config.host, hostname].every((host) => LOOPBACK.includes(host));
}

/** Before anything else: a restore replaces every table, so it must not run beside a service. */
async function announce(service: Connection): Promise<Presence> {
  const presence = await announcePresence(service).catch(explainDatabase);
  if (presence === null) throw new StartError("A restore is running on this database. Start again when it has finished.");
  return presence;
}

function explainFolder(error: unknown, data_dir: string): never {
  const { code, path } = error as NodeJS.ErrnoException;
  if (path?.startsWith(data_dir) !== true) throw error;
  throw new StartError(`DATA_DIR ${data_dir} is not writable (${code}). Choose a writable folder.`);
}

async function listenForMail(app: App, { host, port }: { host: string; port: number }): Promise<void> {
  await app.mail?.listen(host, port).catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartError(`Mail cannot be accepted on ${host}:${port} (${code}). Set SMTP_LISTEN to a free port of this machine.`);
  });
}

async function listen(app: App, { host, port }: Config): Promise<number> {
  try {
    await app.http.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new StartError(
        `Port ${port} on ${host} is already in use. Set PORT to a free one, for example: PORT=${port + 1} npm start`,
      );
    if (code === "EACCES")
      throw new StartError(`Port ${port} needs privileges that this user does not have. Set PORT to one above 1023.`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") throw new StartError(`HOST ${host} is not an address of this machine.`);
    throw error;
  }
  const address = app.http.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
