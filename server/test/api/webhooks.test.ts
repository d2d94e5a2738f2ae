import { describe, expect, test } from "vitest";
import { ALL_EVENT_TYPES } from "../../src/kernel/events.ts";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import { headersPurpose, secretPurpose } from "../../src/platform/crypto/webhook-signature.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { finish, HOOKS, newEndpoint, queuedFor } from "../harness/webhooks.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const MINUTE_MS = 60_000;

describe("creating an endpoint", () => {
  test("answers with the whole endpoint and, this once, its secret", async () => {
    const { key, partner_id } = await world.newPartner();
    const { status, body, headers } = await world.call("POST", HOOKS, {
      key,
      body: { url: "https://hooks.test.example/in?a=1" },
    });
    expect([status, headers.location, headers["cache-control"]]).toEqual([201, `${HOOKS}/${body.id}`, "no-store"]);
    expect(body).toMatchObject({
      url: "https://hooks.test.example/in?a=1",
      event_types: ALL_EVENT_TYPES,
      client_ids: null,
      enabled: true,
      ordering: "subject",
      max_in_flight: 16,
      timeout_ms: 15_000,
      health: { state: "healthy", success_rate: null, p95_ms: null, pending: 0, parked: 0, disabled_reason: null },
      secrets: [{ hint: body.secret.slice(-4), expires_at: null }],
    });
    const again = await world.call("GET", `${HOOKS}/${body.id}`, { key });
    expect(again.body).toEqual(Object.fromEntries(Object.entries(body).filter(([name]) => name !== "secret")));
    const lanes = await world.db.sql("select endpoint_id, state from webhook_lanes where partner_id = $1", [partner_id]);
    expect(lanes).toEqual([{ endpoint_id: body.id, state: "healthy" }]);
  });

  test("keeps the secret and the values of headers sealed, and shows only their names", async () => {
    const { key } = await world.newPartner();
    const endpoint = await newEndpoint(world, key, { headers: { "X-Api-Key": "hunter2", Authorization: "Basic eHg=" } });
    expect(endpoint.header_names).toEqual(["X-Api-Key", "Authorization"]);
    const [row] = await world.db.sql<{ secret: Buffer; headers: Buffer; text: string }>(
      `select s.secret, w.headers, to_jsonb(w)::text || to_jsonb(s)::text as text
       from webhook_endpoints w join webhook_secrets s on s.endpoint_id = w.id where w.id = $1`,
      [endpoint.id],
    );
    if (row === undefined) throw new Error("no row");
    for (const bytes of [row.secret, row.headers]) expect(bytes.toString("latin1")).not.toMatch(/whsec_|hunter2/);
    expect(row.text).not.toMatch(/hunter2|whsec_/);
    const { sealer } = world.app.services;
    expect(sealer.open(row.secret, secretPurpose(endpoint.id))).toBe(endpoint.secret);
    expect(JSON.parse(sealer.open(row.headers, headersPurpose(endpoint.id)))).toEqual({
      "X-Api-Key": "hunter2",
      Authorization: "Basic eHg=",
    });
    const shown = await world.call("GET", `${HOOKS}/${endpoint.id}`, { key });
    const entries = await auditLog(world, key, { action: "webhooks.create" });
    expect(entries[0]).toMatchObject({ target: endpoint.id, changes: { headers: "redacted" } });
    expect(shown.text + JSON.stringify(entries)).not.toMatch(/hunter2|whsec_/);
  });

  test("repeated with an Idempotency-Key gives the same secret and no second endpoint", async () => {
    const { key } = await world.newPartner();
    const send = () =>
      world.call("POST", HOOKS, {
        key,
        body: { url: "https://hooks.test.example/" },
        headers: { "idempotency-key": "hook-1" },
      });
    const [first, second] = [await send(), await send()];
    expect(second.text).toBe(first.text);
    expect(await walk(world, key, "/webhooks")).toHaveLength(1);
  });

  test("stops at 50 of a partner, however many come at once, and says the way out", async () => {
    const { key } = await world.newPartner();
    for (let count = 0; count < 48; count += 1) await newEndpoint(world, key);
    const body = { url: "https://hooks.test.example/" };
    const replies = await Promise.all(Array.from({ length: 5 }, () => world.call("POST", HOOKS, { key, body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: "endpoint_limit_reached", limit: 50 });
    const [endpoint] = await walk(world, key, "/webhooks", { limit: 100 });
    expect((await world.call("DELETE", `${HOOKS}/${endpoint.id}`, { key })).status).toBe(204);
    expect((await world.call("POST", HOOKS, { key, body })).status).toBe(201);
  });
});

describe("headers of an endpoint", () => {
  test.each([
    "Host",
    "content-type",
    "Content-Length",
    "Connection",
    "transfer-encoding",
    "Webhook-Id",
    "X-Service-Signature",
    "x-service-any",
  ])("are refused where the service sets them itself: %s", async (name) => {
    const { key } = await world.newPartner();
    const body = { url: "https://hooks.test.example/", headers: { [name]: "x" } };
    const { status, body: problem } = await world.call("POST", HOOKS, { key, body });
    expect([status, problem.errors[0].code]).toEqual([422, "reserved_header"]);
  });

  test.each([{ "Bad Name": "x" }, { "X-A": "line\r\nX-B: y" }, { "X-A": "é" }, { "": "x" }, { "X-A": "1", "x-a": "2" }])(
    "are refused where they would break the message: %j",
    async (headers) => {
      const { key } = await world.newPartner();
      const body = { url: "https://hooks.test.example/", headers };
      expect((await world.call("POST", HOOKS, { key, body })).status).toBe(422);
    },
  );

  test("are replaced as a whole, and taken away by null", async () => {
    const { key } = await world.newPartner();
    const { id } = await newEndpoint(world, key, { headers: { "X-A": "1", "X-B": "2" } });
    const change = async (headers: object | null) =>
      (await world.call("PATCH", `${HOOKS}/${id}`, { key, body: { headers } })).body.header_names;
    expect(await change({ "X-C": "3" })).toEqual(["X-C"]);
    expect(await change(null)).toEqual([]);
    expect(await world.db.sql("select headers from webhook_endpoints where id = $1", [id])).toEqual([{ headers: null }]);
  });
});

describe("changing an endpoint", () => {
  test("keeps what is absent, notes what changed, and counts versions", async () => {
    const { key } = await world.newPartner();
    const before = await newEndpoint(world, key, { description: "One", metadata: { team: "a" } });
    const body = { description: "Two", ordering: "strict", event_types: ["client.created"] };
    const { body: after, headers } = await world.call("PATCH", `${HOOKS}/${before.id}`, { key, body });
    expect(after).toMatchObject({ ...body, url: before.url, metadata: { team: "a" }, version: 2 });
    expect(headers.etag).toMatch(/^"2-\d+"$/);
    const [entry] = await auditLog(world, key, { action: "webhooks.update" });
    expect(Object.keys(entry.changes).sort()).toEqual(["description", "event_types", "ordering"]);
    expect((await world.call("PATCH", `${HOOKS}/${before.id}`, { key, body })).body.version).toBe(2);
    expect(await auditLog(world, key, { action: "webhooks.update" })).toHaveLength(1);
  });

  test("is refused when somebody else changed it meanwhile", async () => {
    const { key } = await world.newPartner();
    const { id } = await newEndpoint(world, key);
    const change = (etag: string) =>
      world.call("PATCH", `${HOOKS}/${id}`, { key, body: { description: etag }, headers: { "if-match": etag } });
    const { headers } = await world.call("GET", `${HOOKS}/${id}`, { key });
    expect((await change(headers.etag ?? "")).status).toBe(200);
    expect((await change(headers.etag ?? "")).body.code).toBe("version_mismatch");
  });

  test("disabling holds back what comes and what waits; enabling forgets what was", async () => {
    const partner = await world.newPartner();
    const { key } = partner;
    const { id } = await newEndpoint(world, key, { event_types: ["client.created"] });
    await world.newClient(partner);
    const off = await world.call("PATCH", `${HOOKS}/${id}`, { key, body: { enabled: false } });
    expect(off.body.health).toMatchObject({ state: "disabled", disabled_reason: "requested", pending: 0, parked: 1 });
    await world.newClient(partner);
    expect(await queuedFor(world, id)).toHaveLength(1);
    await world.db.sql(
      "update webhook_lanes set state = 'degraded', degraded_at = now(), probe_at = now(), probes = 3, failing_since = now(), failures = 9 where endpoint_id = $1",
      [id],
    );
    const on = await world.call("PATCH", `${HOOKS}/${id}`, { key, body: { enabled: true } });
    expect(on.body).toMatchObject({ enabled: true, health: { state: "healthy", disabled_reason: null, pending: 1, parked: 0 } });
    const [lane] = await world.db.sql(
      "select probe_at, probes, failing_since, failures from webhook_lanes where endpoint_id = $1",
      [id],
    );
    expect(lane).toEqual({ probe_at: null, probes: 0, failing_since: null, failures: 0 });
  });
});

describe("rotating a secret", () => {
  const live = async (id: string) =>
    (
      await world.db.sql<{ secret: Buffer }>(
        "select secret from webhook_secrets where endpoint_id = $1 and (expires_at is null or expires_at > $2) order by created_at desc",
        [id, world.clock.now()],
      )
    ).map(({ secret }) => world.app.services.sealer.open(secret, secretPurpose(id)));
  const rotate = (key: string, id: string, body?: object) =>
    world.call("POST", `${HOOKS}/${id}/rotate-secret`, { key, ...(body === undefined ? {} : { body }) });

  test("keeps the one before for a day, or as long as told, and then no longer", async () => {
    const { key } = await world.newPartner();
    const { id, secret: first } = await newEndpoint(world, key);
    const { body } = await rotate(key, id);
    const second = body.secret;
    expect(body.secrets).toHaveLength(2);
    expect(await live(id)).toEqual([second, first]);
    world.clock.advance(24 * 60 * MINUTE_MS);
    expect(await live(id)).toEqual([second]);
    const third = (await rotate(key, id, { overlap_seconds: 60 })).body.secret;
    expect(await live(id)).toEqual([third, second]);
    world.clock.advance(MINUTE_MS);
    expect(await live(id)).toEqual([third]);
    const fourth = (await rotate(key, id, { overlap_seconds: 0 })).body;
    expect(await live(id)).toEqual([fourth.secret]);
    expect(fourth.secrets).toEqual([expect.objectContaining({ hint: fourth.secret.slice(-4), expires_at: null })]);
    expect(fourth.version).toBe(4);
  });

  test("leaves at most three live, however often and fast it is done, the newest of them", async () => {
    const { key } = await world.newPartner();
    const endpoint = await newEndpoint(world, key);
    const made = [endpoint.secret];
    for (let count = 0; count < 14; count += 1) {
      made.unshift((await rotate(key, endpoint.id, { overlap_seconds: 604_800 })).body.secret);
      expect(await live(endpoint.id)).toEqual(made.slice(0, 3));
    }
    const [rows] = await world.db.sql("select count(*)::int from webhook_secrets where endpoint_id = $1", [endpoint.id]);
    expect(rows).toEqual({ count: 10 });
  });

  test("is audited without a secret", async () => {
    const { key } = await world.newPartner();
    const { id } = await newEndpoint(world, key);
    await rotate(key, id);
    const [entry] = await auditLog(world, key, { action: "webhooks.rotate_secret" });
    expect(entry).toMatchObject({ target: id, changes: { secret: "redacted" } });
    expect(JSON.stringify(entry)).not.toContain("whsec_");
  });
});

describe("health", () => {
  test("is made of the attempts of the last day, and of what waits", async () => {
    const partner = await world.newPartner();
    const { id } = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
    for (let count = 0; count < 20; count += 1) await world.newClient(partner);
    const ids = (await queuedFor(world, id)).map((row) => row.id).sort();
    await finish(world, ids.slice(0, 12), "succeeded");
    await finish(world, ids.slice(12, 16), "failed");
    const { body, headers } = await world.call("GET", `${HOOKS}/${id}`, { key: partner.key });
    expect(body.health).toMatchObject({ success_rate: 0.75, p95_ms: 120, pending: 4, parked: 0 });
    const known = { key: partner.key, headers: { "if-none-match": headers.etag ?? "" } };
    expect((await world.call("GET", `${HOOKS}/${id}`, known)).status).toBe(304);
    await finish(world, ids.slice(16), "succeeded");
    expect((await world.call("GET", `${HOOKS}/${id}`, known)).status).toBe(200);
    await world.db.sql("update webhook_lanes set state = 'degraded' where endpoint_id = $1", [id]);
    world.clock.advance(24 * 60 * MINUTE_MS + 1);
    await world.newClient(partner);
    const later = await world.call("GET", `${HOOKS}/${id}`, { key: partner.key });
    expect(later.body.health).toMatchObject({ state: "degraded", success_rate: null, p95_ms: null, pending: 0, parked: 1 });
  });

  test("counts up to 10,000 and looks at 1,000 attempts, however many there are", async () => {
    const { key, partner_id } = await world.newPartner();
    const { id } = await newEndpoint(world, key);
    await world.db.sql(
      `insert into deliveries (partner_id, id, endpoint_id, event_id, event_type, next_at)
       select $1, first_id_at('dlv', $3::timestamptz + make_interval(secs => n / 1000.0)), $2, 'evt_' || n, 'client.created', $3
       from generate_series(1, 10500) n`,
      [partner_id, id, world.clock.now()],
    );
    await world.db.sql(
      `insert into delivery_attempts (partner_id, delivery_id, endpoint_id, number, started_at, duration_ms, status)
       select $1, first_id_at('dlv', $3::timestamptz + make_interval(secs => n / 1000.0)), $2, 1, $3::timestamptz - make_interval(secs => n), n,
         case when n > 1000 then 500 else 200 end
       from generate_series(1, 1500) n`,
      [partner_id, id, world.clock.now()],
    );
    const { body } = await world.call("GET", `${HOOKS}/${id}`, { key });
    expect(body.health).toMatchObject({ pending: 10_000, success_rate: 1, p95_ms: 950 });
  });
});

describe("what a key may ask for", () => {
  test("event types need the read scope of their resource, named in the refusal", async () => {
    const partner = await world.newPartner();
    const key = await world.newKey(partner, { scopes: ["webhooks:write", "webhooks:read", "clients:read"] });
    const ask = (event_types: string[]) =>
      world.call("POST", HOOKS, { key, body: { url: "https://hooks.test.example/", event_types } });
    expect((await ask(["client.created"])).status).toBe(201);
    const refused = await ask(["client.created", "deal.won"]);
    expect([refused.status, refused.body.code, refused.body.required_scope]).toEqual([403, "insufficient_scope", "deals:read"]);
    expect((await newEndpoint(world, key)).event_types).toEqual(ALL_EVENT_TYPES.filter((type) => type.startsWith("client.")));
    const blind = await world.newKey(partner, { scopes: ["webhooks:write"] });
    const nothing = await world.call("POST", HOOKS, { key: blind, body: { url: "https://hooks.test.example/" } });
    expect([nothing.status, nothing.body.code]).toEqual([403, "insufficient_scope"]);
  });

  test("* stands alone, and needs the read scopes of all types", async () => {
    const partner = await world.newPartner();
    const ask = (key: string, event_types: string[]) =>
      world.call("POST", HOOKS, { key, body: { url: "https://hooks.test.example/", event_types } });
    const mixed = await ask(partner.key, ["*", "client.created"]);
    expect([mixed.status, mixed.body.errors[0]]).toMatchObject([422, { pointer: "#/event_types", code: "not_alone" }]);
    const { id } = (await ask(partner.key, ["*"])).body;
    const key = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== "payouts:read") });
    const refused = [await ask(key, ["*"]), await world.call("PATCH", `${HOOKS}/${id}`, { key, body: { description: "mine" } })];
    for (const { status, body } of refused) expect([status, body.required_scope]).toEqual([403, "payouts:read"]);
    const patch = { event_types: ["*", "deal.won"] };
    expect((await world.call("PATCH", `${HOOKS}/${id}`, { key: partner.key, body: patch })).status).toBe(422);
  });

  test("an endpoint with more than the key may read cannot be changed or rotated by it, but seen and removed", async () => {
    const partner = await world.newPartner();
    const { id } = await newEndpoint(world, partner.key, { event_types: ["deal.won"] });
    const key = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== "deals:read") });
    for (const [method, path, body] of [
      ["PATCH", "", { url: "https://elsewhere.test.example/" }],
      ["PATCH", "", { description: "mine" }],
      ["POST", "/rotate-secret", {}],
    ] as const) {
      const reply = await world.call(method, `${HOOKS}/${id}${path}`, { key, body });
      expect([reply.status, reply.body.required_scope]).toEqual([403, "deals:read"]);
    }
    const narrowed = await world.call("PATCH", `${HOOKS}/${id}`, { key, body: { event_types: ["client.created"] } });
    expect(narrowed.status).toBe(200);
    expect((await world.call("DELETE", `${HOOKS}/${id}`, { key })).status).toBe(204);
    expect((await world.call("GET", `${HOOKS}/${id}`, { key })).status).toBe(404);
  });

  test("clients that are not the key's, or not there, are refused, and a bound key's endpoint always has clients", async () => {
    const partner = await world.newPartner();
    const [own, other] = [await world.newClient(partner), await world.newClient(partner)];
    const stranger = await world.newClient(await world.newPartner());
    const key = await world.newKey(partner, { clients: [own.id] });
    const ask = (client_ids: unknown) =>
      world.call("POST", HOOKS, { key, body: { url: "https://hooks.test.example/", client_ids } });
    for (const id of [other.id, stranger.id, "cli_01jd3k5y5cf7m8n9p0q1r2s3t4"]) {
      const { status, body } = await ask([own.id, id]);
      expect([status, body.errors[0]]).toEqual([
        422,
        expect.objectContaining({ pointer: "#/client_ids/1", code: "unknown_client" }),
      ]);
    }
    expect((await ask(null)).body.code).toBe("partner_wide_key_required");
    expect((await newEndpoint(world, key)).client_ids).toEqual([own.id]);
  });
});
