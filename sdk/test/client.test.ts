import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useCluster } from "../../server/test/harness/cluster.ts";
import { startReceiver } from "../../server/test/harness/receiver.ts";
import { eventually } from "../../server/test/postgres/processes.ts";
import { ApiError, type Client, createClient, parseWebhook, UnexpectedReply } from "../src/index.ts";
import { startWire, type Wire } from "./wire.ts";

const cluster = useCluster(1, { EGRESS: "development" });
let wire: Wire;
let api: Client;

beforeAll(async () => {
  wire = await startWire(cluster.service(0).base_url);
  api = createClient({ baseUrl: wire.origin, apiKey: cluster.key });
});
afterAll(() => wire?.close());

async function clientsOf(company: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const client of api.list("/v1/partners/clients")) if (client.company === company) ids.push(client.id);
  return ids;
}

const sentSince = (start: number) => wire.sent.slice(start);

describe("a call", () => {
  test("gives the reply with its type, and the response with its headers", async () => {
    const { data, response } = await api.GET("/v1/partners/me");
    expect(data.partner_id satisfies string).toBe(cluster.partner_id);
    expect(response.headers.get("request-id")).toMatch(/^req_/);
  });

  test("takes path, query and body by their names", async () => {
    const made = await api.POST("/v1/partners/clients", { body: { company: "Typed" } });
    const { data } = await api.PATCH("/v1/partners/clients/{id}", {
      params: { path: { id: made.data.id } },
      body: { company: "Typed again" },
    });
    expect([data.id, data.company]).toEqual([made.data.id, "Typed again"]);
    const { data: page } = await api.GET("/v1/partners/clients", { params: { query: { q: "Typed again", limit: 1 } } });
    expect(page.data.map(({ id }) => id)).toEqual([data.id]);
  });

  test("that is refused throws the problem, with its code and what is wrong with each field", async () => {
    const refused = await api.POST("/v1/partners/clients", { body: { company: "" } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    const { status, code, errors, request_id, message } = refused as ApiError;
    expect([status, code, errors[0]?.pointer]).toEqual([422, "validation_failed", "#/company"]);
    expect(request_id).toMatch(/^req_/);
    expect(message).toMatch(/^The request is not valid\. company /);
  });

  test("whose reply is not from the API says so", async () => {
    wire.next({ status: 500, body: "<h1>Bad gateway</h1>" });
    const failed = await api.GET("/v1/partners/me").catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UnexpectedReply);
    expect((failed as UnexpectedReply).message).toContain("Bad gateway");
  });

  test("can be aborted, also while it waits to be sent again", async () => {
    wire.next({ status: 503, headers: { "retry-after": "20" } });
    const start = wire.sent.length;
    const controller = new AbortController();
    const call = api.GET("/v1/partners/me", { signal: controller.signal }).catch((error: unknown) => error);
    await eventually("the first attempt", () => wire.sent.length > start || null);
    controller.abort(new Error("not needed any more"));
    expect(await call).toMatchObject({ message: "not needed any more" });
  });
});

describe("a call is sent again", () => {
  test("with the same Idempotency-Key when its reply was lost, and is carried out once", async () => {
    const start = wire.sent.length;
    wire.next("lose the reply", "lose the reply");
    const { data, response } = await api.POST("/v1/partners/clients", { body: { company: "Once" } });
    expect(response.headers.get("idempotent-replayed")).toBe("true");
    expect(new Set(sentSince(start).map(({ key }) => key)).size).toBe(1);
    expect(sentSince(start)).toHaveLength(3);
    expect(await clientsOf("Once")).toEqual([data.id]);
  });

  test.each([429, 502, 503, 504])("after %i", async (status) => {
    wire.next({ status, headers: { "retry-after": "0" } });
    expect((await api.GET("/v1/partners/me")).data.partner_id).toBe(cluster.partner_id);
  });

  test("not more often than asked: the last failure is thrown", async () => {
    const once = createClient({ baseUrl: wire.origin, apiKey: cluster.key, retries: 1 });
    const start = wire.sent.length;
    const problem = { title: "Later.", detail: "", code: "service_unavailable", status: 503 };
    const failing = { status: 503, headers: { "retry-after": "0" }, body: JSON.stringify(problem) };
    wire.next(failing, failing);
    await expect(once.GET("/v1/partners/me")).rejects.toMatchObject({ code: "service_unavailable" });
    expect(sentSince(start)).toHaveLength(2);
  });

  test("not when the service asks for a longer wait than allowed", async () => {
    const start = wire.sent.length;
    wire.next({ status: 429, headers: { "retry-after": "3600" }, body: "{}" });
    await expect(api.GET("/v1/partners/me")).rejects.toThrow();
    expect(sentSince(start)).toHaveLength(1);
  });

  test("not a PATCH whose outcome is unknown", async () => {
    const { data } = await api.POST("/v1/partners/clients", { body: { company: "Patched" } });
    const start = wire.sent.length;
    wire.next("lose the reply");
    const params = { path: { id: data.id } };
    await expect(api.PATCH("/v1/partners/clients/{id}", { params, body: { company: "Lost" } })).rejects.toThrow();
    expect(sentSince(start)).toHaveLength(1);
  });
});

describe("a list", () => {
  beforeAll(async () => {
    for (const letter of "abcde")
      await api.POST("/v1/partners/clients", { body: { company: `List ${letter}`, tags: ["paged"] } });
  });
  const query = { tag: ["paged"], limit: 2, sort: "company" as const };

  test("gives every item once, over as many pages as there are", async () => {
    const start = wire.sent.length;
    const names: string[] = [];
    for await (const { company } of api.list("/v1/partners/clients", { params: { query } })) names.push(company);
    expect(names).toEqual([..."abcde"].map((letter) => `List ${letter}`));
    expect(sentSince(start)).toHaveLength(3);
  });

  test("that is left early requests no further page", async () => {
    const start = wire.sent.length;
    for await (const _ of api.list("/v1/partners/clients", { params: { query } })) break;
    expect(sentSince(start)).toHaveLength(1);
  });

  test("can be read page by page", async () => {
    const sizes: number[] = [];
    for await (const { data } of api.list("/v1/partners/clients", { params: { query } }).pages()) sizes.push(data.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  test("of events ends where the feed ends", async () => {
    const ids = new Set<string>();
    let count = 0;
    for await (const { id } of api.list("/v1/partners/events", { params: { query: { limit: 100 } } })) {
      ids.add(id);
      count += 1;
    }
    expect(count).toBeGreaterThan(100);
    expect(ids.size).toBe(count);
  });
});

test("a delivery of the service is verified and parsed", async () => {
  const receiver = await startReceiver();
  try {
    const body = { url: `${receiver.origin}/hook`, event_types: ["client.created" as const] };
    const { data: endpoint } = await api.POST("/v1/partners/webhooks", { body });
    const { data: client } = await api.POST("/v1/partners/clients", { body: { company: "Told" } });
    const [delivery] = await eventually("the delivery", () => (receiver.at("/hook").length > 0 ? receiver.at("/hook") : null));
    const signature = String(delivery?.headers["x-service-signature"]);
    const event = await parseWebhook(delivery?.body ?? "", { secret: endpoint.secret, signature });
    // The type of the event tells the type of its data.
    if (event.type !== "client.created") throw new Error(`it is ${event.type}`);
    expect(event.data.client_id satisfies string).toBe(client.id);
    await expect(parseWebhook(`${delivery?.body} `, { secret: endpoint.secret, signature })).rejects.toMatchObject({
      reason: "signature_wrong",
    });
  } finally {
    await receiver.close();
  }
});
