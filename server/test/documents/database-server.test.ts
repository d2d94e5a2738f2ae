import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { makeDataDir } from "../harness/data-dir.ts";
import { administer } from "../harness/database.ts";
import { killServices, startService } from "../harness/service-process.ts";
import { cleanUp } from "../postgres/processes.ts";

const { owner } = inject("postgres");
/** The names of the documents, each with an ending of its own: the server has these logins already. */
const ending = `_${randomBytes(4).toString("hex")}`;
const named = (text: string) => text.replaceAll(/\btributary(_owner|_service|_sandbox)?\b/g, (name) => `${name}${ending}`);

afterAll(async () => {
  await killServices();
  await administer(async (session) => {
    await session.query(`drop database if exists tributary${ending} with (force)`);
    for (const login of ["owner", "service", "sandbox"]) await session.query(`drop role if exists tributary_${login}${ending}`);
  });
  await cleanUp();
});

/** Runs the first block of SQL after a heading as an administrator, as psql would. */
async function runDocumented(document: string, heading: string): Promise<void> {
  const text = await readFile(new URL(`../../../docs/${document}`, import.meta.url), "utf8");
  const [, sql = ""] = /```sql\n(.*?)```/s.exec(text.slice(text.indexOf(heading))) ?? [];
  let database = "postgres";
  for (const part of named(sql).split(/^(?=\\c )/m)) {
    const [, connected, statements = part] = /^\\c (\S+)\n(.*)$/s.exec(part) ?? [];
    database = connected ?? database;
    const client = new pg.Client({ ...owner, user: "postgres", database });
    await client.connect();
    try {
      // A database is not created among other statements; the body of a block is one.
      const parts = statements.includes("$$") ? [statements] : statements.split(/;$/m);
      for (const statement of parts) if (statement.trim() !== "") await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

test("a server that was set up as the documents say has a login for the sandbox that can do nothing else", async () => {
  await runDocumented("configuration.md", "## PostgreSQL server");
  await runDocumented("operations.md", "### The login of the sandbox");
  const url = (login: string) =>
    `postgres://tributary_${login}${ending}@localhost/tributary${ending}?host=${encodeURIComponent(owner.host)}&port=${owner.port}`;
  const data_dir = await makeDataDir();
  const service = await startService({
    DATABASE_URL: url("service"),
    DATABASE_OWNER_URL: url("owner"),
    SANDBOX_DATABASE_URL: url("sandbox"),
    SECRET_KEY: randomBytes(32).toString("base64"),
    DATA_DIR: data_dir.path,
    LOG_LEVEL: "warn",
    SEED: "demo",
  });
  const { api_key: key } = await data_dir.firstRun();
  const call = async (path: string, body: object) => (await service.call("POST", `/v1${path}`, { key, body })).body;
  const playbook = { start: "a", states: { a: { say: "Hello.", do: [{ tool: "add_tag", args: { tag: "hot" } }], go: "@end" } } };
  const { id } = await call("/agents", { name: "Nora", content: { engine: "playbook", playbook } });
  const { status, isolation, error } = await call(`/agents/${id}/sandbox`, { messages: [{ text: "Hi" }] });
  expect([status, error]).toEqual(["completed", null]);
  expect(isolation).toMatchObject({ login: "own", live_writes: 0, blocked: [] });
  expect(service.stdout()).not.toContain("The sandbox reads with the login of the service");
  const login = new pg.Client(url("sandbox"));
  await login.connect();
  const refused = [
    "select pg_advisory_xact_lock_shared(1)",
    "select lo_create(0)",
    "select pg_logical_emit_message(false, 'x', 'x')",
  ];
  for (const sql of [...refused, "create temporary table mine (id int)", "select * from public.contacts"])
    await expect(login.query(sql), sql).rejects.toMatchObject({ code: "42501" });
  await login.end();
});
