import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { joinEmbedded } from "@tributary/server/src/platform/postgres/index.ts";
import pg from "pg";
import { type Counter, openCounter } from "./counts.ts";
import type { Setting } from "./floors/floor.ts";

const SERVICE = fileURLToPath(import.meta.resolve("@tributary/server/bin/tributary.mjs"));
const START_WITHIN_MS = 120_000;

export type Secrets = { base_url: string; partner_id: string; api_key: string; operator_key: string };

/** Everything that takes part: a fresh database, the service as its users start it, and plain SQL as the owner. */
export type Stage = {
  secrets: Secrets;
  data_dir: string;
  /** The process of the service. */
  service_pid: number;
  port: number;
  owner: pg.Pool;
  /** The login of the service, and of the floors. */
  login: string;
  counter: Counter;
  /** Starts a floor as a process of its own, on the same database and login as the service. */
  startFloor(name: string): Promise<{ port: number; pid: number }>;
  close(): Promise<void>;
};

/** A database server with the logins of a database, and what the service has to be told of them. */
export type Server = {
  owner: pg.ClientConfig;
  service: Setting["connection"] & { user: string };
  environment: Record<string, string>;
  counter: Counter;
  stop(): Promise<unknown>;
};

/** The server that the service would start by itself, with its durable defaults. */
async function startEmbedded(dataDir: string): Promise<Server> {
  const embedded = await joinEmbedded({ dataDir });
  const counter = await openCounter(embedded.location);
  return {
    owner: embedded.connection("owner"),
    service: embedded.connection("service"),
    environment: {},
    counter,
    stop: () => counter.close().then(() => embedded.leave()),
  };
}

/** `settings` are further ones of the service. */
export async function openStage(settings: Record<string, string> = {}, startServer = startEmbedded): Promise<Stage> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    const { dataDir, remove } = await makeDataDir();
    closers.push(remove);
    const server = await startServer(dataDir);
    closers.push(server.stop);
    const service = await startService(dataDir, { ...settings, ...server.environment });
    closers.push(() => stop(service));
    const secrets = await waitUntilReady(service, dataDir);
    const owner = new pg.Pool({ ...server.owner, max: 2 });
    closers.push(() => owner.end());
    const setting = { connection: server.service, partner_id: secrets.partner_id } satisfies Setting;
    return {
      secrets,
      data_dir: dataDir,
      service_pid: service.pid ?? 0,
      port: Number(new URL(secrets.base_url).port),
      owner,
      counter: server.counter,
      login: setting.connection.user,
      async startFloor(name) {
        const { child, port } = await forkFloor(name, setting);
        closers.push(() => stop(child));
        return { port, pid: child.pid ?? 0 };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A folder for a database, gone with `remove`. As root, PostgreSQL runs as another user, who must be able to pass. */
export async function makeDataDir(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "tributary-bench-"));
  await chmod(dataDir, 0o711);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

export type Started = { took_ms: number; pid: number; base_url: string; stop(): Promise<void> };

/** Starts the service and waits until it says that it is ready. */
export async function startUntilReady(dataDir: string): Promise<Started> {
  const started_ms = performance.now();
  const child = spawn(process.execPath, [SERVICE, "serve"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes("Tributary is ready")) break;
  }
  const base_url = /Tributary is ready at (\S+)/.exec(said)?.[1];
  if (base_url === undefined) throw new Error("the service ended before it was ready");
  return { took_ms: performance.now() - started_ms, pid: child.pid ?? 0, base_url, stop: () => stop(child) };
}

/** The real command with its defaults. Its log lines are made and written, but to nowhere. */
async function startService(dataDir: string, settings: Record<string, string>): Promise<ChildProcess> {
  const nowhere = await open("/dev/null", "w");
  const { LOG_LEVEL: _, ...env } = process.env;
  const child = spawn(process.execPath, [SERVICE, "serve"], {
    env: { ...env, DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: "0", SEED: "demo", ROLE: "all", ...settings },
    stdio: ["ignore", nowhere.fd, "inherit"],
  });
  await nowhere.close();
  return child;
}

async function waitUntilReady(service: ChildProcess, dataDir: string): Promise<Secrets> {
  const deadline_ms = performance.now() + START_WITHIN_MS;
  while (performance.now() < deadline_ms) {
    if (service.exitCode !== null) throw new Error(`the service ended with code ${service.exitCode} before it was ready`);
    const secrets = await readFile(join(dataDir, "first-run.json"), "utf8").then(
      (text) => JSON.parse(text) as Secrets,
      () => null,
    );
    const ready = secrets !== null && (await fetch(`${secrets.base_url}/readyz`).catch(() => null))?.ok === true;
    if (ready) return secrets;
    await sleep(50);
  }
  throw new Error(`the service was not ready within ${START_WITHIN_MS / 1000} s`);
}

async function forkFloor(name: string, setting: Setting): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL(`floors/${name}.ts`, import.meta.url)), [JSON.stringify(setting)]);
  const ended = once(child, "exit").then(() => {
    throw new Error(`the floor ${name} ended before it listened`);
  });
  const [{ port }] = (await Promise.race([once(child, "message"), ended])) as [{ port: number }];
  ended.catch(() => undefined);
  return { child, port };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
