import { expect, test } from "vitest";
import { walk } from "../harness/lists.ts";
import { BASE, useWorld } from "../harness/world.ts";

const world = useWorld();

/** The tables in which some text stands, as text, within JSON or as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const hex = Buffer.from(text).toString("hex");
  const tables = await world.db.sql<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await world.db.sql(
        `select 1 from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0 limit 1`,
        [text, hex],
      );
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat().sort();
}

function createKey(key: string, idempotencyKey?: string) {
  return world.call("POST", `${BASE}/keys`, {
    key,
    body: { name: "Billing sync", scopes: ["clients:read"], clients: "all" },
    ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
  });
}

test("looking through the database finds text that is stored readably, in columns and in bytes", async () => {
  const partner = await world.newPartner();
  await world.call("POST", `${BASE}/clients`, {
    key: partner.key,
    body: { company: "Needle in a haystack" },
    headers: { "idempotency-key": "search" },
  });
  expect(await tablesWith("Needle in a haystack")).toEqual(["audit_entries", "clients", "events", "idempotency_replies"]);
});

test("a key's secret is nowhere in the database, neither in the audit log nor in a stored reply", async () => {
  const { key } = await world.newPartner();
  const { body } = await createKey(key, "once");
  expect(await tablesWith(body.id)).toEqual(["audit_entries", "idempotency_replies", "keys"]);
  expect(await tablesWith(body.api_key)).toEqual([]);
  expect(await tablesWith(body.api_key.slice(4, 36))).toEqual([]);
});

test("no later reply shows the secret again", async () => {
  const { key } = await world.newPartner();
  const { body } = await createKey(key);
  const replies = [
    await world.call("GET", `${BASE}/keys/${body.id}`, { key }),
    await world.call("GET", `${BASE}/keys`, { key }),
    await world.call("GET", `${BASE}/audit-log`, { key }),
    await world.call("GET", `${BASE}/me`, { key: body.api_key }),
  ];
  for (const { status, text } of replies) {
    expect(status).toBe(200);
    expect(text).not.toContain(body.api_key);
    expect(text).not.toContain("api_key");
  }
});

test("repeating the creation with its Idempotency-Key gives the same secret, and makes one key", async () => {
  const { key } = await world.newPartner();
  const first = await createKey(key, "create-1");
  const again = await createKey(key, "create-1");
  expect(again.text).toBe(first.text);
  expect([again.status, again.headers["idempotent-replayed"], again.headers["cache-control"]]).toEqual([201, "true", "no-store"]);
  expect(await walk(world, key, "/keys")).toHaveLength(2);
  expect((await world.call("GET", `${BASE}/me`, { key: again.body.api_key })).status).toBe(200);
});
