import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { chmod, chown, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { closedFolderOrNull } from "../../src/platform/postgres/account.ts";
import type { EmbeddedDatabase, EmbeddedOptions } from "../../src/platform/postgres/index.ts";

export const NOBODY = { uid: 65534, gid: 65534 };
export const ROOT = process.getuid?.() === 0;
/** Whoever is not root: ourselves, or nobody when the tests run as root. */
export const ORDINARY = ROOT ? NOBODY : {};
/** Nobody cannot run the code of a clone in /root. */
export const ORDINARY_CAN_RUN = !ROOT || (await canRun(NOBODY));

async function canRun(identity: { uid: number; gid: number }): Promise<boolean> {
  const account = { ...identity, name: "nobody", borrowed: true };
  for (const folder of [import.meta.dirname, dirname(process.execPath)]) {
    if ((await closedFolderOrNull(folder, account)) !== null) return false;
  }
  return true;
}

type Joined = Pick<EmbeddedDatabase, "started" | "location"> & { connection: ReturnType<EmbeddedDatabase["connection"]> };
type Event =
  | ({ kind: "joined" } & Joined)
  | { kind: "refused"; message: string; remedy: string }
  | { kind: "log"; message: string }
  | { kind: "interrupted" }
  | { kind: "left" };

export type Member = {
  child: ChildProcess;
  events: Event[];
  joined(): Promise<Joined>;
  refused(): Promise<{ message: string; remedy: string }>;
  leave(): Promise<void>;
  kill(): Promise<void>;
};

const members: Member[] = [];
const folders: string[] = [];

/** A deadline against hanging for ever, below that of a test so that the error says what was missing. */
const PATIENCE_MS = 300_000;

/** Polls until `look` finds something; no test waits by the clock. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null> | T | null,
  patience_ms = PATIENCE_MS,
): Promise<T> {
  const deadline_ms = Date.now() + patience_ms;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (Date.now() > deadline_ms) throw new Error(`waited ${patience_ms} ms in vain for: ${what}`);
    await delay(20);
  }
}

/** A folder that other users can enter, as a DATA_DIR's surroundings mostly are. */
export async function makeFolder(owner: { uid?: number; gid?: number } = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "tributary-postgres-")));
  folders.push(folder);
  await chmod(folder, 0o755);
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? owner.uid);
  return folder;
}

type StartOptions = { as?: { uid?: number; gid?: number }; environment?: Record<string, string> };

export function startMember(
  options: EmbeddedOptions & { umask?: number },
  { as = {}, environment = {} }: StartOptions = {},
): Member {
  const settings = { fsync: "off", ...options.settings };
  const child = spawn(process.execPath, [join(import.meta.dirname, "member.ts"), JSON.stringify({ ...options, settings })], {
    ...as,
    cwd: "/",
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
    // A process group of its own, which a test can interrupt like a terminal does.
    detached: true,
  });
  const events: Event[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => events.push(JSON.parse(line)));
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const eventOf = <Kind extends Event["kind"]>(kind: Kind) =>
    eventually(`a member's "${kind}"`, () => {
      const found = events.find((event): event is Extract<Event, { kind: Kind }> => event.kind === kind);
      if (found === undefined && ended()) throw new Error(`the member ended instead: ${JSON.stringify(events)}`);
      return found ?? null;
    });
  const member: Member = {
    child,
    events,
    joined: () => eventOf("joined"),
    refused: () => eventOf("refused"),
    leave: async () => {
      child.stdin.write("leave\n");
      await eventOf("left");
      child.stdin.end();
      await eventually("the member to end", () => ended() || null);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await eventually("the member to die", () => ended() || null);
    },
  };
  members.push(member);
  return member;
}

/** PostgreSQL's processes all work in their data folder. */
export function postgresProcesses(data: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const folder = readlinkSync(`/proc/${pid}/cwd`);
        return folder === data || folder.startsWith(`${data}/`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export async function untilStopped(data: string): Promise<void> {
  await eventually("the server to be gone", () => postgresProcesses(data).length === 0 || null);
}

export async function killPostgres(data: string): Promise<void> {
  for (const pid of postgresProcesses(data)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went by itself.
    }
  }
}

/** Kills and removes whatever a test left, also when it failed. */
export async function cleanUp(): Promise<void> {
  for (const member of members.splice(0)) {
    const joined = member.events.find((event) => event.kind === "joined");
    await member.kill();
    if (joined === undefined) continue;
    await killPostgres(joined.location.data);
    await untilStopped(joined.location.data);
    if (joined.location.relocated) await rm(dirname(joined.location.data), { recursive: true, force: true });
    await rm(joined.location.socket, { recursive: true, force: true });
  }
  for (const folder of folders.splice(0)) {
    await killPostgres(folder);
    await untilStopped(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

export async function query(connection: object, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...connection, ssl: false });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}
