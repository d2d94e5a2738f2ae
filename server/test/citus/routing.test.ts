import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connectionSettings, WORKER_SETTINGS } from "../../src/platform/db/connection.ts";
import { amongPartners } from "../../src/platform/db/poll.ts";
import type { Statement } from "../../src/platform/db/statement.ts";
import { type Cluster, prepareClusterDatabase, startCitus } from "../harness/citus.ts";
import { TABLES } from "../harness/tables.ts";
import { EXCEPTIONS } from "../sql/exceptions.ts";
import { oneLine } from "../sql/judgement.ts";
import { tablesOf } from "../sql/rules.ts";

const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));

/** Statements of claims on companies, which lie by their value, that ask for those of a deal or a client, or that are over. */
const NOT_ROUTED = ["select c.kind, c.value from registration_claims c where c."];

/** Statements whose answer is remembered to be assumed (`steadyStatement`): nothing is assumed on a cluster, so they are not sent to it. */
const NOT_SENT = ["select (select json_agg(x) from ("];

const statements = new Map<string, Statement>();
let folder: string;
let cluster: Cluster;
let client: pg.Client;

beforeAll(async () => {
  await readStatements();
  folder = await mkdtemp(join(tmpdir(), "tributary-citus-"));
  cluster = await startCitus(String(process.env.CITUS_BIN), folder);
  const { owner } = await prepareClusterDatabase(cluster, "routing");
  client = new pg.Client(connectionSettings(owner, "routing"));
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Those that modules make when they are loaded. Other test files of the process may have loaded them before. */
async function readStatements(): Promise<void> {
  vi.resetModules();
  const { onStatement } = await import("../../src/platform/db/statement.ts");
  onStatement((statement) => statements.set(statement.name, statement));
  const modules = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  for (const file of modules)
    if (readFileSync(`${SOURCE}${file}`, "utf8").includes("tatement(")) await import(`${SOURCE}${file}`);
}

/** A literal of a type that a parameter has. */
function literalOf(type: string): string {
  if (type.endsWith("[]")) return `array[${literalOf(type.slice(0, -2))}]::${type}`;
  if (/^timestamp|^date/.test(type)) return `'2026-11-01'::${type}`;
  const values: Record<string, string> = {
    jsonb: "[]",
    json: "[]",
    bytea: "\\x00",
    interval: "1 day",
    cidr: "10.0.0.0/8",
    inet: "10.0.0.1",
  };
  return `'${values[type] ?? "1"}'::${type}`;
}

/** How many shards each part of a plan is sent to. */
async function shardsOf({ name, text }: Statement): Promise<number[]> {
  await client.query(`prepare "${name}" as ${text}`);
  const { rows: parameters } = await client.query<{ type: string }>(
    "select unnest(parameter_types)::text as type from pg_prepared_statements where name = $1",
    [name],
  );
  const filled = text.replaceAll(/\$(\d+)/g, (_, number) => `(${literalOf(parameters[Number(number) - 1]?.type ?? "text")})`);
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${filled}`);
  return rows.flatMap((row) => /Task Count: (\d+)/.exec(row["QUERY PLAN"])?.[1] ?? []).map(Number);
}

const isDistributed = ({ text }: Statement) => {
  const { reads, writes } = tablesOf(text);
  return [...reads, ...writes].some((table) => /tenant|by value/.test(TABLES[table]?.distribution ?? ""));
};

const beginsAsIn = (list: readonly string[], { text }: Statement) => list.some((begins) => oneLine(text).startsWith(begins));

test("every statement is sent to one shard, but for those over all partners", async () => {
  const over_all = EXCEPTIONS.filter(({ rule }) => rule === "partner").map(({ begins }) => begins);
  const hot = [...statements.values()].filter(
    (statement) => isDistributed(statement) && !beginsAsIn([...over_all, ...NOT_ROUTED, ...NOT_SENT], statement),
  );
  expect(hot.length).toBeGreaterThan(600);
  const strayed: string[] = [];
  for (const statement of hot) {
    const shards = await shardsOf(statement).catch((error: Error) => [error.message]);
    if (shards.some((count) => count !== 1)) strayed.push(`${shards}: ${oneLine(statement.text)}`);
  }
  expect(strayed).toEqual([]);
});

test("the sessions that the coordinator opens on the workers have the settings of ours", async () => {
  const shown = Object.keys(WORKER_SETTINGS).map((name) => `current_setting('${name}', true)`);
  const { rows } = await client.query<{ result: string }>("select result from run_command_on_workers($1)", [
    `select array[${shown.join(", ")}]`,
  ]);
  expect(rows.map(({ result }) => result)).toEqual(rows.map(() => `{${Object.values(WORKER_SETTINGS).join(",")}}`));
  expect(rows).toHaveLength(2);
});

test("a poll for the partners of one node is sent to that node alone", async () => {
  const polls = [...statements.values()].filter(({ poll }) => poll);
  expect(polls.length).toBeGreaterThan(20);
  const tenant = Object.keys(TABLES).filter((table) => TABLES[table]?.distribution === "tenant");
  const strayed: string[] = [];
  for (const poll of polls) {
    const shards = await shardsOf(amongPartners(poll, tenant)).catch((error: Error) => [error.message]);
    if (shards.some((count) => count !== 1)) strayed.push(`${shards}: ${oneLine(poll.text)}`);
  }
  expect(strayed).toEqual([]);
});
