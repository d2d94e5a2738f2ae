import { expect, test } from "vitest";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { ADMIN, BASE, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());

const living = () =>
  world.db.sql<{ id: string }>("select id from keys where partner_id is null and revoked_at is null order by id");

test("an operator key is shown once, works at once, and is revoked at once", async () => {
  const operator = await world.newOperator();
  const made = await world.call("POST", `${ADMIN}/keys`, { key: operator, body: { name: "Back office" } });
  expect([made.status, made.headers.location, made.headers["cache-control"]]).toEqual([
    201,
    `${ADMIN}/keys/${made.body.id}`,
    "no-store",
  ]);
  const { api_key, ...shown } = made.body;
  expect((await world.call("GET", `${ADMIN}/keys/${made.body.id}`, { key: api_key })).body).toEqual(shown);
  expect((await world.call("DELETE", `${ADMIN}/keys/${made.body.id}`, { key: operator })).status).toBe(204);
  expect((await world.call("GET", `${ADMIN}/keys`, { key: api_key })).body.code).toBe("invalid_credentials");
  const after = await world.call("GET", `${ADMIN}/keys/${made.body.id}`, { key: operator });
  expect(after.body).toMatchObject({ revoked_at: world.clock.now().toISOString(), version: 2 });
  expect((await world.call("DELETE", `${ADMIN}/keys/${made.body.id}`, { key: operator })).status).toBe(204);
});

test("a repeated creation gives the same secret again, and another version is refused", async () => {
  const operator = await world.newOperator();
  const send = () =>
    world.call("POST", `${ADMIN}/keys`, { key: operator, body: { name: "Once" }, headers: { "idempotency-key": "one" } });
  const [first, second] = [await send(), await send()];
  expect(second.text).toBe(first.text);
  expect(second.headers["idempotent-replayed"]).toBe("true");
  const headers = { "if-match": '"7"' };
  const { status } = await world.call("DELETE", `${ADMIN}/keys/${first.body.id}`, { key: operator, headers });
  expect(status).toBe(412);
});

test("of two revocations of the same version one is refused", async () => {
  const operator = await world.newOperator();
  const { body } = await world.call("POST", `${ADMIN}/keys`, { key: operator, body: { name: "Contested" } });
  const held = await hold("select from keys where id = $1 for update", [body.id]);
  const headers = { "if-match": '"1"' };
  const replies = ["first", "second"].map(() => world.call("DELETE", `${ADMIN}/keys/${body.id}`, { key: operator, headers }));
  await untilWaiting(world.db.sql, ROW_LOCKS, 2);
  await held.release();
  expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([204, 412]);
});

test("partners' keys are not among the operator's, nor the other way round", async () => {
  const operator = await world.newOperator();
  const partner = await world.newPartner();
  const [own] = (await world.call("GET", `${BASE}/keys`, { key: partner.key })).body.data;
  for (const method of ["GET", "DELETE"]) {
    expect((await world.call(method, `${ADMIN}/keys/${own.id}`, { key: operator })).status).toBe(404);
  }
  const { body } = await world.call("GET", `${ADMIN}/keys?limit=100`, { key: operator });
  expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(own.id);
  expect((await world.call("GET", `${BASE}/keys/${body.data[0].id}`, { key: partner.key })).status).toBe(404);
});

test("the list goes page by page, newest first", async () => {
  const operator = await world.newOperator();
  const ids: string[] = [];
  for (let path = `${ADMIN}/keys?limit=2`; ; ) {
    const { body } = await world.call("GET", path, { key: operator });
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    path = `${ADMIN}/keys?limit=2&cursor=${body.next_cursor}`;
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual([...ids].sort().reverse());
  expect(ids.length).toBeGreaterThan(3);
});

test("the last living operator key cannot be revoked, whoever else tries to at the same time", async () => {
  const [first, second] = [await world.newOperator(), await world.newOperator()];
  const idOf = async (key: string) => {
    const [row] = await world.db.sql<{ id: string }>("select id from keys where hash = sha256($1)", [Buffer.from(key)]);
    return row?.id;
  };
  const [firstId, secondId] = [await idOf(first), await idOf(second)];
  await world.db.sql("update keys set revoked_at = now() where partner_id is null and id <> all ($1)", [[firstId, secondId]]);
  const replies = await Promise.all([
    world.call("DELETE", `${ADMIN}/keys/${secondId}`, { key: first }),
    world.call("DELETE", `${ADMIN}/keys/${firstId}`, { key: first }),
    world.call("DELETE", `${ADMIN}/keys/${firstId}`, { key: second }),
    world.call("DELETE", `${ADMIN}/keys/${secondId}`, { key: second }),
  ]);
  expect((await living()).length).toBe(1);
  for (const { status, body } of replies) {
    if (status !== 204) expect(["resource_in_use", "invalid_credentials"]).toContain(body.code);
  }
  const survivor = (await living())[0]?.id;
  const { status, body } = await world.call("DELETE", `${ADMIN}/keys/${survivor}`, {
    key: survivor === firstId ? first : second,
  });
  expect([status, body.code]).toEqual([409, "resource_in_use"]);
});
