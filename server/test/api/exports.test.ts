import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { parse } from "csv-parse/sync";
import { afterEach, beforeAll, expect, test } from "vitest";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const CLIENTS = 230;
let partner: TestPartner;
let clients: Json[];

beforeAll(async () => {
  partner = await world.newPartner();
  for (let index = 0; index < CLIENTS; index += 1) {
    const contact = { name: 'Ada, "the" Okafor', phone: "+14155552671" };
    await world.newClient(partner, {
      company: `=Company ${index}\n😀`,
      contact,
      tags: ["a", "b;c"].slice(0, index % 3),
      plan: index % 2 === 0 ? "Even" : "Odd",
    });
  }
  clients = await walk(world, partner.key, "/clients", { limit: 100 });
});

const ask = (path: string, headers: Record<string, string> = {}, key = partner.key) =>
  world.call("GET", `${BASE}${path}`, { key, headers });
const lines = (text: string): Json[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const cells = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

test("NDJSON is the whole list, a row on each line, in the list's order", async () => {
  const { status, text, headers } = await ask("/clients?format=ndjson");
  expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  expect(headers["content-disposition"]).toBe('attachment; filename="clients.ndjson"');
  expect(lines(text)).toEqual(clients);
});

test("CSV is the whole list: members have columns of their own, and an independent parser reads the same cells", async () => {
  const { text, headers } = await ask("/clients?format=csv&csv_guard=off");
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
  expect(
    cells(text).map((row) => [
      row.id,
      row.company,
      row["contact.name"],
      row["contact.phone"],
      row["contact.email"],
      row.tags,
      row.mrr_cents,
      row.house,
    ]),
  ).toEqual(
    clients.map(({ id, company, contact, tags, mrr_cents }) => [
      id,
      company,
      contact.name,
      contact.phone,
      "",
      ["", "a", '["a","b;c"]'][tags.length],
      String(mrr_cents),
      "false",
    ]),
  );
});

test("cells that a spreadsheet would run are guarded unless told, and phone numbers stay", async () => {
  const { text } = await ask("/clients?format=csv");
  const rows = cells(text);
  expect(rows.map(({ company }) => company)).toEqual(clients.map(({ company }) => `'${company}`));
  expect(new Set(rows.map((row) => row["contact.phone"]))).toEqual(new Set(["+14155552671"]));
});

test.each([
  ["text/csv", "csv"],
  ["application/x-ndjson", "ndjson"],
  ["application/json;q=0.5, text/csv", "csv"],
  ["text/csv;q=0.1, application/json", "json"],
  ["text/html, */*;q=0.8", "json"],
])("Accept: %s gives %s", async (accept, form) => {
  const { headers } = await ask("/keys", { accept });
  const type = { csv: "text/csv", ndjson: "application/x-ndjson", json: "application/json" }[form];
  expect(headers["content-type"]).toContain(type);
});

test("the parameter wins over Accept, and a form that nothing gives is 406", async () => {
  expect((await ask("/keys?format=json", { accept: "text/csv" })).headers["content-type"]).toContain("application/json");
  expect((await ask("/keys", { accept: "text/html" })).status).toBe(406);
  expect((await ask(`/clients/${clients[0].id}`, { accept: "text/csv" })).status).toBe(406);
});

test("an export has the filters, the sort and the rights of its list", async () => {
  const { text } = await ask("/clients?format=ndjson&plan=Even&sort=created_at");
  expect(lines(text)).toEqual(clients.filter(({ plan }) => plan === "Even").reverse());
  const bound = await world.newKey(partner, { clients: [clients[3].id, clients[150].id] });
  expect(lines((await ask("/clients?format=ndjson", {}, bound)).text)).toEqual([clients[3], clients[150]]);
  const unscoped = await world.newKey(partner, { scopes: ["keys:read"] });
  expect((await ask("/clients?format=csv", {}, unscoped)).status).toBe(403);
});

test("an empty list is a line of names in CSV and nothing in NDJSON", async () => {
  const other = await world.newPartner();
  expect((await ask("/clients?format=csv", {}, other.key)).text).toMatch(/^id,partner_id,[\w.,]+\r\n$/);
  expect((await ask("/clients?format=ndjson", {}, other.key)).text).toBe("");
});

test.each(["limit=10", "cursor=abc"])("an export has no pages: %s is refused", async (query) => {
  const { status, body } = await ask(`/clients?format=csv&${query}`);
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, "invalid_parameter", `#/${query.split("=")[0]}`]);
});

test("keys and the audit log are exported too, the operator's log with whose each entry is", async () => {
  const keys = cells((await ask("/keys?format=csv")).text);
  expect(keys.map(({ id }) => id)).toEqual((await walk(world, partner.key, "/keys")).map(({ id }) => id));
  const entries = lines((await ask("/audit-log?format=ndjson&action=clients.create")).text);
  expect(entries.map(({ target }) => target)).toEqual(clients.map(({ id }) => id));
  const operator = await world.newOperator();
  const { text } = await world.call(
    "GET",
    `/v1/admin/audit-log?format=csv&partner_id=${partner.partner_id}&action=clients.create`,
    { key: operator },
  );
  expect(cells(text).map((row) => [row.partner_id, row["actor.type"]])).toEqual(Array(CLIENTS).fill([partner.partner_id, "key"]));
});

test("each export leaves one audit entry, and none is counted as a read", async () => {
  const key = await world.newKey(partner);
  await ask("/clients?format=csv", {}, key);
  const { id } = (await walk(world, partner.key, "/keys")).find(({ hint }) => key.endsWith(hint));
  const entries = await auditLog(world, partner.key, { actor_id: id });
  expect(entries.map(({ action, count }) => [action, count])).toEqual([["clients.export", 1]]);
});

test("HEAD tells the form and sends nothing", async () => {
  const { status, headers, text } = await world.call("HEAD", `${BASE}/clients?format=csv`, { key: partner.key });
  expect([status, headers["content-type"], text]).toEqual([200, "text/csv; charset=utf-8; header=present", ""]);
});

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** An export over a real socket that is read only as far as asked: more than the buffers hold is still to come. */
async function openExport(key: string, version = "1.1") {
  const { port } = world.app.http.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  opened.push(socket);
  socket.write(`GET ${BASE}/audit-log?format=ndjson HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

const ENDINGS = {
  revoked: (id: string) => world.call("DELETE", `${BASE}/keys/${id}`, { key: partner.key }),
  expired: async () => world.clock.advance(3_600_000),
};

test.each([
  ["revoked", "1.1"],
  ["revoked", "1.0"],
  ["expired", "1.1"],
] as const)("a key that is %s ends its export in the middle, visibly, over HTTP/%s", async (ending, version) => {
  if (!world.app.http.server.listening) await world.app.http.listen({ port: 0, host: "127.0.0.1" });
  // Enough that the sockets' buffers cannot hold it all.
  await world.db.sql(
    `insert into audit_entries (partner_id, id, action, actor_id, outcome, body, leaf_hash)
     select partner_id, 'aud_0' || lpad(n::text, 25, '0'), action, actor_id, outcome, body, leaf_hash
     from generate_series(1, 60000) n, (select * from audit_entries where partner_id = $1 and action = 'clients.create' order by id limit 1) a
     on conflict do nothing`,
    [partner.partner_id],
  );
  const { body: made } = await world.call("POST", `${BASE}/keys`, {
    key: partner.key,
    body: {
      name: "Export",
      scopes: ["audit:read"],
      clients: "all",
      expires_at: new Date(world.clock.now().getTime() + 1_800_000).toISOString(),
    },
  });
  const socket = await openExport(made.api_key, version);
  await ENDINGS[ending](made.id);
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const fault = new Promise<Error>((resolve) => socket.once("error", resolve));
  expect(await fault).toMatchObject({ code: "ECONNRESET" });
  expect(text).toContain("HTTP/1.1 200");
  expect(text.match(/"leaf_hash"/g)?.length).toBeLessThan(60_000);
});

test("a partner's fifth export at once is refused with the time to wait, and there is room again when one ends", async () => {
  if (!world.app.http.server.listening) await world.app.http.listen({ port: 0, host: "127.0.0.1" });
  const sockets = await Promise.all(Array.from({ length: 4 }, () => openExport(partner.key)));
  const refused = await ask("/clients?format=csv");
  expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, "rate_limit_exceeded", "5"]);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await ask("/clients?format=csv")).status).toBe(200);
});
