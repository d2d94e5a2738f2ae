import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld();
let service: pg.Client;

beforeAll(async () => {
  service = new pg.Client(world.db.service);
  await service.connect();
  await world.newClient(await world.newPartner());
});
afterAll(() => service.end());

/** The SQLSTATE that a statement of the service's login ends with, `done` when the database takes it. */
async function outcome(text: string): Promise<string> {
  try {
    await service.query(text);
    return "done";
  } catch (error) {
    return (error as pg.DatabaseError).code ?? "unknown";
  }
}

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await world.db.sql<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1",
    [table],
  );
  return rows.map(({ name }) => name);
}

const INSERTS: Record<string, string> = {
  events: "insert into events (partner_id, id, body) values ('ptr_x', $1, 'x')",
  audit_entries:
    "insert into audit_entries (partner_id, id, action, actor_id, outcome, body, leaf_hash) values ('ptr_x', $1, 'x.y', 'system', 'success', 'x', 'x')",
};

describe.each(["events", "audit_entries"])("%s, as the service's login", (table) => {
  test("rows can be added and read", async () => {
    const id = newId(table === "events" ? "event" : "audit", Date.now());
    await service.query(INSERTS[table] ?? "", [id]);
    const { rows } = await service.query(`select id from ${table} where id = $1`, [id]);
    expect(rows).toEqual([{ id }]);
  });

  test("nothing can be changed, removed, emptied or dropped, through the table or a partition of it", async () => {
    const [before] = await world.db.sql(`select count(*), sum(length(body)) from ${table}`);
    const partitions = await partitionsOf(table);
    expect(partitions.length).toBeGreaterThan(2);
    for (const name of [table, ...partitions]) {
      // Whether this is refused or only warned about, it must not have helped.
      await outcome(`grant all on ${name} to current_user`);
      for (const text of [
        `update ${name} set body = 'forged'`,
        `delete from ${name}`,
        `delete from ${name} where false`,
        `truncate ${name}`,
        `drop table ${name}`,
        `alter table ${name} disable trigger all`,
        `alter table ${name} owner to current_user`,
      ]) {
        expect([text, await outcome(text)]).toEqual([text, "42501"]);
      }
    }
    expect(await world.db.sql(`select count(*), sum(length(body)) from ${table}`)).toEqual([before]);
  });

  test("a partition cannot be detached, nor a row be replaced by inserting it again", async () => {
    const [partition] = await partitionsOf(table);
    expect(await outcome(`alter table ${table} detach partition ${partition}`)).toBe("42501");
    const { rows } = await service.query<{ id: string }>(`select id from ${table} limit 1`);
    const insert = (INSERTS[table] ?? "").replace("$1", `'${rows[0]?.id}'`);
    expect(await outcome(`${insert} on conflict (partner_id, id) do update set body = 'forged'`)).toBe("42501");
  });
});

test("the service's login makes no tables, schemas or functions, and is no other role", async () => {
  for (const text of [
    "create table shadow (id int)",
    "create schema shadow",
    "create function shadow() returns int language sql return 1",
    `set role ${world.db.owner.user}`,
    "delete from migrations",
  ]) {
    expect([text, await outcome(text)]).toEqual([text, "42501"]);
  }
});
