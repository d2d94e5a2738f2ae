import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { countRows } from "../../src/platform/backup/format.ts";
import { type Manifest, restoreBackup, writeBackup } from "../../src/platform/backup/index.ts";
import { readBackup } from "../../src/platform/backup/read-file.ts";
import { type Migration, readMigrations } from "../../src/platform/db/migrate.ts";
import { MIGRATIONS } from "../../src/service.ts";
import type { TestDatabase } from "./database.ts";
import type { Ending, Environment } from "./service-process.ts";

const ENTRY = fileURLToPath(new URL("../../bin/tributary.mjs", import.meta.url));

export const KNOWN_MIGRATIONS = await readMigrations(MIGRATIONS);

export type Backup = { bytes: Buffer; manifest: Manifest };

/** A backup in memory. */
export async function takeBackup(db: TestDatabase): Promise<Backup> {
  const parts: Buffer[] = [];
  const sink = { write: async (bytes: Buffer) => void parts.push(Buffer.from(bytes)) };
  const manifest = await writeBackup({ owner: db.owner, version: "0.0.0", key_fingerprint: null, sink });
  return { bytes: Buffer.concat(parts), manifest };
}

/** All rows of a backup, as the text that they are stored in. */
export async function textOfBackup(bytes: Buffer): Promise<string> {
  const kept: Buffer[] = [];
  await readBackup(inPieces(bytes, 1_000_003), async () => ({
    async table(_start, pieces) {
      let rows = 0;
      for await (const piece of pieces) {
        rows += countRows(piece);
        kept.push(piece);
      }
      return rows;
    },
    finish: async () => undefined,
  }));
  return Buffer.concat(kept).toString("utf8");
}

type Restoring = { migrations?: Migration[]; may_delete?: boolean; piece?: number };

/** Restores from memory, in pieces that end where nothing else does. */
export function restoreInto(db: TestDatabase, bytes: Buffer, options: Restoring = {}): Promise<Manifest> {
  const { migrations = KNOWN_MIGRATIONS, may_delete = false, piece = 60_013 } = options;
  const refuse = async () => {
    if (!may_delete) throw new Error("the database is not empty");
  };
  return restoreBackup({
    owner: db.owner,
    service_role: db.service.user,
    migrations,
    source: inPieces(bytes, piece),
    key_fingerprint: null,
    content_table: "partners",
    confirm: { otherKey: async () => undefined, deletion: refuse },
  });
}

export function inPieces(bytes: Buffer, length: number): AsyncIterable<Buffer> {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
    })(),
  );
}

/** What every table holds, asked of the database itself and not through a backup. */
export async function contentOf(db: TestDatabase): Promise<Record<string, string>> {
  const tables = await db.sql<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and c.relname <> 'migrations' order by 1`);
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.sql<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${name} t`,
    );
    content[name] = row?.hash ?? "";
  }
  return content;
}

export type RunningCommand = {
  pid: number;
  stdin: NodeJS.WritableStream;
  kill(): Promise<void>;
  /** As Ctrl-C does. */
  interrupt(): void;
  ended: Promise<Ending & { stdout: string; stderr: string }>;
};

const running: RunningCommand[] = [];

/** Runs `tributary` with this environment and nothing of ours. */
export function startCommand(args: string[], environment: Environment): RunningCommand {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    cwd: "/",
    env: { PATH: process.env.PATH, ...environment },
    stdio: "pipe",
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  // Killed in the middle, it leaves what we still write to it unread.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<Ending>((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
  const command: RunningCommand = {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    interrupt: () => void child.kill("SIGINT"),
    ended: ended.then((ending) => ({ ...ending, ...output })),
  };
  running.push(command);
  return command;
}

/** Runs a command to its end, which must be a good one, and returns what it said in JSON. */
export async function runCommand(args: string[], environment: Environment): Promise<Manifest> {
  const { code, stdout, stderr } = await startCommand([...args, "--json"], environment).ended;
  if (code !== 0) throw new Error(`tributary ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Manifest;
}

export async function killCommands(): Promise<void> {
  await Promise.all(running.splice(0).map((command) => command.kill()));
}
