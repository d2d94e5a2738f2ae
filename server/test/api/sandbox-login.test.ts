import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { QUALIFY_LEADS } from "../../src/features/agents/engine/index.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createSandboxReader, sandboxFaults } from "../../src/platform/db/sandbox-reader.ts";
import { makeSandboxWorld } from "../../src/platform/db/sandbox-world.ts";
import { statement } from "../../src/platform/db/statement.ts";
import { agentsOf } from "../harness/agents.ts";
import { checksums } from "../harness/checksums.ts";
import { onCluster } from "../harness/reads.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let other: TestPartner;
let account_id: string;
let contact: Json;
let login: pg.Client;
let agent: { id: string };
const { call, newAgent } = agentsOf(world, () => partner);

beforeAll(async () => {
  [partner, other] = [await world.newPartner(), await world.newPartner()];
  account_id = (await world.newClient(partner)).id;
  contact = await world.newContact(partner, { account_id });
  await world.newContact(partner, { account_id: (await world.newClient(partner)).id });
  await world.newContact(other, { account_id: (await world.newClient(other)).id });
  agent = await newAgent(account_id, QUALIFY_LEADS);
  login = new pg.Client(world.db.sandbox);
  await login.connect();
});
afterAll(() => login.end());

/** What the login is answered: the rows, or the code of the refusal. */
async function attempt(sql: string): Promise<unknown> {
  try {
    return (await login.query(sql)).rows;
  } catch (error) {
    return (error as pg.DatabaseError).code;
  } finally {
    await login.query("rollback");
  }
}

/** No right to do it; or a view that nobody can write to. */
const REFUSALS = ["42501", "55000"];

describe.skipIf(onCluster())("the login of the sandbox", () => {
  let before: Json[];
  beforeAll(async () => {
    before = await checksums(world);
  });
  // Whatever was tried has changed no row and moved no sequence.
  afterAll(async () => expect(await checksums(world)).toEqual(before));

  test.each([
    ["read a table", "select * from public.contacts"],
    ["read keys", "select * from public.keys"],
    ["read the secret of the passes", "select * from sandbox_world.secret"],
    ["make a pass", "select sandbox_world.pass('ptr_1', 'cli_1')"],
    ["insert", "insert into public.contacts (id) values ('con_1')"],
    ["write through a view", "update sandbox_world.contacts set name = 'Changed'"],
    ["delete through a view", "delete from sandbox_world.leads"],
    ["truncate", "truncate public.contacts"],
    ["lock rows", "select * from sandbox_world.contacts for update"],
    ["share rows", "select * from sandbox_world.contacts for share"],
    ["lock tables", "begin; lock table public.contacts in access share mode"],
    ["lock views", "begin; lock table sandbox_world.contacts in exclusive mode"],
    ["become the service", "set role tributary_service"],
    ["become the owner", "set session authorization tributary_owner"],
    ["grant itself rights", "grant all on public.contacts to tributary_sandbox"],
    ["make roles", "create role another"],
    ["make databases", "create database another"],
    ["make tables", "create table public.mine (id int)"],
    ["make tables beside the views", "create table sandbox_world.mine (id int)"],
    ["make schemas", "create schema mine"],
    ["make temporary tables", "create temporary table mine (id int)"],
    ["make functions", "create function public.mine() returns int language sql as 'select 1'"],
    ["take advisory locks", "select pg_advisory_lock(1)"],
    ["take advisory locks of a transaction", "select pg_advisory_xact_lock(1)"],
    ["try advisory locks", "select pg_try_advisory_lock(1)"],
    ["notify", "select pg_notify('changes', 'x')"],
    ["write large objects", "select lo_from_bytea(0, 'x')"],
    ["write to the log", "select pg_logical_emit_message(false, 'x', 'x')"],
    ["move sequences", "select setval(oid, 1) from pg_class where relkind = 'S' limit 1"],
    ["read files", "copy public.contacts from '/etc/passwd'"],
    ["run programs", "copy (select 1) to program 'true'"],
    ["end other sessions", "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tributary_service'"],
    ["change settings of the server", "alter system set fsync = off"],
    ["load settings of the server", "select pg_reload_conf()"],
    ["change its own rights", "alter role tributary_sandbox superuser"],
    ["take tables over", "alter table public.contacts owner to tributary_sandbox"],
    ["change what a view shows", "create or replace view sandbox_world.contacts as select * from public.contacts"],
    ["change what a pass is", "create or replace function sandbox_world.account() returns int language sql as 'select 1'"],
    ["trigger", "create trigger mine before insert on public.contacts execute function suppress_redundant_updates_trigger()"],
    ["look into other sessions", "select pg_read_file('pg_hba.conf')"],
    ["read large objects", "select lo_import('/etc/passwd')"],
    ["read passwords", "select * from pg_authid"],
    ["make extensions", "create extension dblink"],
    ["make subscriptions", "create subscription mine connection 'dbname=x' publication mine"],
  ])("cannot %s", async (_, sql) => {
    expect(REFUSALS).toContain(await attempt(sql));
  });

  test("sees nothing without a pass, or with one that is forged, altered or over", async () => {
    const read = async (pass: string) => {
      await login.query("select set_config('tributary.pass', $1, false)", [pass]);
      return attempt("select id from sandbox_world.contacts");
    };
    const [row] = await world.db.sql<{ pass: string }>("select sandbox_world.pass($1, $2) as pass", [
      partner.partner_id,
      account_id,
    ]);
    const [, , until = "", signature = ""] = row?.pass.split("|") ?? [];
    expect(await read(row?.pass ?? "")).toEqual([{ id: contact.id }]);
    for (const forged of [
      "",
      `${partner.partner_id}|${account_id}|${until}|`,
      `${other.partner_id}|${account_id}|${until}|${signature}`,
      `${partner.partner_id}|${account_id}|${Number(until) + 1}|${signature}`,
    ])
      expect(await read(forged)).toEqual([]);
    await login.query("reset all");
  });

  test("reads one account of one partner, in a transaction that cannot write", async () => {
    const all = statement("select c.id from contacts c where c.partner_id = $1");
    const write = statement("update contacts set name = 'Changed' where partner_id = $1");
    const mode = statement("select current_setting('transaction_read_only') as read_only, current_user as login");
    const account = { partner_id: partner.partner_id, account_id };
    const { sandbox } = world.app.services;
    expect(await sandbox.login()).toBe("own");
    expect(await sandbox.read(account, (db) => db.query(all, [partner.partner_id]))).toEqual([{ id: contact.id }]);
    expect(await sandbox.read(account, (db) => db.query(all, [other.partner_id]))).toEqual([]);
    expect(await sandbox.read(account, (db) => db.query(mode))).toEqual([{ read_only: "on", login: "tributary_sandbox" }]);
    await expect(sandbox.read(account, (db) => db.query(write, [partner.partner_id]))).rejects.toMatchObject({ code: "55000" });
  });

  test("is what runs read with", async () => {
    const body = { messages: [{ text: "Hi" }], world: { contact_id: contact.id } };
    expect((await call("POST", `/agents/${agent.id}/sandbox`, body)).body.isolation).toMatchObject({
      login: "own",
      live_writes: 0,
    });
  });
});

test("a login with more rights is not used: the sandbox reads with that of the service, and says so", async () => {
  const told: string[] = [];
  const service = openDatabase(world.db.service, 1);
  const reader = createSandboxReader(service, world.db.service, (message) => told.push(message));
  expect(await reader.login()).toBe("shared");
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("has rights on tables");
  const all = statement("select current_user as login, current_setting('transaction_read_only') as read_only");
  const account = { partner_id: partner.partner_id, account_id };
  expect(await reader.read(account, (db) => db.query(all))).toEqual([{ login: "tributary_service", read_only: "on" }]);
  await Promise.all([reader.close(), service.close()]);
});

test.skipIf(onCluster())("what it reads is made anew where it is missing", async () => {
  await world.db.sql("drop schema sandbox_world cascade");
  const db = openDatabase(world.db.sandbox, 1);
  expect(await sandboxFaults(db)).toEqual(["finds nothing to read"]);
  const make = () => makeSandboxWorld(world.db.owner, world.db.service.user, world.db.sandbox.user);
  await Promise.all([make(), make()]);
  expect(await sandboxFaults(db)).toEqual([]);
  await db.close();
});
