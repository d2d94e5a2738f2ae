import { beforeAll, expect, test } from "vitest";
import { generalV1 } from "../../src/surfaces/general-v1.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";
import { BASE, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const LIMIT_BYTES = 256 * 1024;
let partner: TestPartner;
let client: string;

beforeAll(async () => {
  partner = await world.newPartner();
  client = `${BASE}/clients/${(await world.newClient(partner)).id}`;
});

const PATHS = [partnerV1, generalV1].flatMap(({ prefix, routes }) =>
  [...Map.groupBy(routes, ({ path }) => path)].map(([path, routes]) => ({
    url: prefix + path.replaceAll(/\{\w+\}/g, "some-id"),
    methods: routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])),
  })),
);
const HEALTH = ["/healthz", "/readyz", "/metrics"].map((url) => ({ url, methods: ["GET", "HEAD"] }));
const ALL_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"];

test.each([...PATHS, ...HEALTH])(
  "$url answers the methods it does not take with 405 and the ones it does in Allow",
  async (path) => {
    const refused = ALL_METHODS.filter((method) => !path.methods.includes(method));
    for (const method of refused) {
      const { status, headers, body } = await world.call(method, path.url, { key: partner.key });
      expect([method, status, headers.allow?.split(", ")]).toEqual([method, 405, path.methods]);
      if (method !== "HEAD") expect([body.code, body.allowed]).toEqual(["method_not_allowed", path.methods]);
    }
  },
);

test.each(["/me", "/clients", "/keys", "/events", "/audit-log"])(
  "HEAD %s answers what GET does, without the body",
  async (path) => {
    const read = await world.call("GET", BASE + path, { key: partner.key });
    const { status, text, headers } = await world.call("HEAD", BASE + path, { key: partner.key });
    expect([status, text, headers["content-type"]]).toEqual([200, "", read.headers["content-type"]]);
    expect((await world.call("HEAD", BASE + path)).status).toBe(401);
  },
);

test.each([
  ["GET", "/v1/deals/metrics", "metrics was not found. Did you mean GET /v1/partners/deals/metrics?"],
  ["GET", "/v1/clients", "GET /v1/clients was not found. Did you mean GET /v1/partners/clients?"],
  ["POST", "/contacts", "POST /contacts was not found. Did you mean POST /v1/contacts?"],
  ["GET", "/v1/contacts/", "The path has no id. Did you mean GET /v1/contacts?"],
  ["GET", "/v1/partners/audit_log", "GET /v1/partners/audit_log was not found. Did you mean GET /v1/partners/audit-log?"],
  ["GET", "/v1/nothing", "GET /v1/nothing was not found. The reference at /docs lists all paths."],
])("%s %s is a near miss, and the problem names what was meant", async (method, path, detail) => {
  const { status, body } = await world.call(method, path, { key: partner.key });
  expect([status, body.detail]).toEqual([404, detail]);
});

test("a wrong method is answered with the right ones", async () => {
  const { body } = await world.call("PUT", `${BASE}/clients`, { key: partner.key });
  expect(body.detail).toBe("This path does not support PUT. Use GET or POST.");
});

test.each([
  ["GET", "/v1/partners"],
  ["GET", "/v1/partners/Clients"],
  ["GET", "/v1/partners//clients"],
  ["GET", "/v1/partners/me/"],
  ["POST", "/v1/nothing"],
  ["QUERY", "/v1/nothing"],
  ["PROPFIND", "/v1/partners/me"],
  ["GET", "/v1/partners/clients/%zz"],
])("%s %s is no address: 404 route_not_found", async (method, path) => {
  const { status, body } = await world.call(method, path, { key: partner.key });
  expect([status, body.code]).toEqual([404, "route_not_found"]);
});

test.each([
  ["text", { "content-type": "text/plain" }, "hello"],
  ["broken JSON", { "content-type": "application/json" }, "{"],
  ["a body that is too large", { "content-type": "application/json" }, " ".repeat(LIMIT_BYTES + 1)],
])("an address that is not there answers so whatever it is sent: %s", async (_case, headers, body) => {
  const reply = await world.call("POST", "/v1/nothing", { body, headers });
  expect([reply.status, reply.body.code]).toEqual([404, "route_not_found"]);
});

test.each(["text/html", "text/csv", "application/xml", "image/*"])("Accept: %s alone is answered with 406", async (accept) => {
  const { status, body } = await world.call("GET", `${BASE}/me`, { key: partner.key, headers: { accept } });
  expect([status, body.code]).toEqual([406, "not_acceptable"]);
});

test.each(["*/*", "application/json", "application/*", "text/html, application/json;q=0.9", "application/problem+json"])(
  "Accept: %s is answered",
  async (accept) => {
    expect((await world.call("GET", `${BASE}/me`, { key: partner.key, headers: { accept } })).status).toBe(200);
  },
);

test.each([
  ["text/plain", {}],
  ["application/x-www-form-urlencoded", {}],
  ["application/xml", {}],
  ["application/json; charset=latin1", {}],
  ["not a type", {}],
  ["application/json", { "content-encoding": "gzip" }],
])("a body sent as %s %j is refused with 415", async (type, more) => {
  const headers = { "content-type": type, ...more };
  const { status, body } = await world.call("POST", `${BASE}/clients`, { key: partner.key, body: '{"company":"X"}', headers });
  expect([status, body.code]).toEqual([415, "unsupported_media_type"]);
});

test("a body without a content type is refused with 415", async () => {
  const reply = await world.app.http.inject({
    method: "POST",
    url: `${BASE}/clients`,
    headers: { authorization: `Bearer ${partner.key}` },
    payload: Buffer.from('{"company":"X"}'),
  });
  expect([reply.statusCode, reply.json().code]).toEqual([415, "unsupported_media_type"]);
});

test.each(["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"', "application/json"])(
  "a body sent as %s is read",
  async (type) => {
    const headers = { "content-type": type };
    expect((await world.call("POST", `${BASE}/clients`, { key: partner.key, body: '{"company":"X"}', headers })).status).toBe(
      201,
    );
  },
);

test("a body of the limit is read, one byte more is refused with 413 and the limit", async () => {
  const sent = (bytes: number) => {
    const body = `{"company":"X"${" ".repeat(bytes - 15)}}`;
    expect(Buffer.byteLength(body)).toBe(bytes);
    return world.call("POST", `${BASE}/clients`, { key: partner.key, body });
  };
  expect((await sent(LIMIT_BYTES)).status).toBe(201);
  const { status, body } = await sent(LIMIT_BYTES + 1);
  expect([status, body.code, body.limit_bytes]).toEqual([413, "payload_too_large", LIMIT_BYTES]);
});

test("every reply has a request id of its own, and a problem names the same one in its body", async () => {
  const replies = [
    await world.call("GET", `${BASE}/me`, { key: partner.key }),
    await world.call("GET", `${BASE}/me`),
    await world.call("PUT", `${BASE}/me`),
    await world.call("GET", "/nowhere"),
    await world.call("DELETE", client, { key: partner.key }),
  ];
  const ids = replies.map(({ headers }) => headers["request-id"]);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{26}$/);
  expect(new Set(ids).size).toBe(replies.length);
  for (const { status, body, headers } of replies.filter(({ status }) => status >= 400)) {
    expect([status, body.request_id, body.instance]).toEqual([
      status,
      headers["request-id"],
      `urn:request:${headers["request-id"]}`,
    ]);
  }
});

test("a request id that the caller sends is not taken over", async () => {
  const sent = "req_00000000000000000000000000";
  const { headers } = await world.call("GET", `${BASE}/me`, {
    key: partner.key,
    headers: { "request-id": sent, "x-request-id": sent },
  });
  expect(headers["request-id"]).not.toBe(sent);
});

test("a problem is application/problem+json and links to the page of its code", async () => {
  const { headers, body } = await world.call("GET", `${BASE}/clients?limit=0`, { key: partner.key });
  expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  expect(body).toEqual({
    type: "http://tributary.test/docs/errors/invalid_parameter",
    title: "A query parameter is not valid.",
    status: 400,
    detail: expect.stringContaining("limit"),
    instance: `urn:request:${body.request_id}`,
    code: "invalid_parameter",
    request_id: expect.stringMatching(/^req_/),
    errors: [{ in: "query", pointer: "#/limit", code: "minimum", detail: expect.stringContaining("limit") }],
  });
});

test("a content type on a request without a body is accepted, as is an empty POST where the body may be left out", async () => {
  const headers = { "content-type": "application/json" };
  const { id } = await world.newClient(partner);
  const path = `${BASE}/clients/${id}`;
  const suspended = await world.call("POST", `${path}/suspend`, { key: partner.key, headers });
  expect([suspended.status, suspended.body.status]).toEqual([200, "suspended"]);
  const reactivated = await world.call("POST", `${path}/reactivate`, { key: partner.key });
  expect([reactivated.status, reactivated.body.status]).toEqual([200, "active"]);
  expect((await world.call("POST", `${path}/suspend`, { key: partner.key, body: {} })).status).toBe(200);
  expect((await world.call("GET", path, { key: partner.key, headers })).status).toBe(200);
  expect((await world.call("DELETE", path, { key: partner.key, headers })).status).toBe(204);
});

test("a body where none belongs, and none where one belongs, are refused with 422", async () => {
  const deleted = await world.call("DELETE", client, { key: partner.key, body: { reason: "x" } });
  expect([deleted.status, deleted.body.errors[0].code]).toEqual([422, "no_body"]);
  const created = await world.call("POST", `${BASE}/clients`, { key: partner.key });
  expect([created.status, created.body.code]).toEqual([422, "validation_failed"]);
});

test("replies are kept out of shared caches", async () => {
  const { headers } = await world.call("GET", `${BASE}/me`, { key: partner.key });
  expect(headers["cache-control"]).toBe("private, no-cache");
});
