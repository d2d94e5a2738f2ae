import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { auditLog } from "../harness/lists.ts";
import { GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const open: Client[] = [];
let partner: TestPartner;
let account_id: string;
let url: URL;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  url = new URL(`${await world.app.http.listen({ port: 0, host: "127.0.0.1" })}/v1/mcp`);
});

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** A client of the protocol, connected with a key. */
async function connected(key = partner.key, headers: Record<string, string> = {}, mode: "legacy" | "modern" = "modern") {
  const versionNegotiation = { mode: mode === "modern" ? ({ pin: "2026-07-28" } as const) : ("legacy" as const) };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  open.push(client);
  return client;
}

/** Uses a tool; gives what it answers, or what it refuses. */
async function use(client: Client, name: string, args: Record<string, unknown>): Promise<Json> {
  const { structuredContent, isError = false, content } = (await client.callTool({ name, arguments: args })) as Json;
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  return isError ? { refused: structuredContent } : structuredContent;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const post = (body: unknown, headers: Record<string, string> = {}) =>
  world.call("POST", `${GENERAL}/mcp`, { key: partner.key, body, headers });
const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 7, method, params });

describe.each(["legacy", "modern"] as const)("a %s client", (mode) => {
  test("lists tools and uses them", async () => {
    const client = await connected(partner.key, {}, mode);
    expect(client.getServerVersion()).toMatchObject({ name: "Service" });
    const { tools } = await client.listTools();
    const shown = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(["lookup_contact", "update_lead", "create_payment_link"]));
    for (const name of ["handoff", "end", "schedule_follow_up", "http_request"]) expect(shown[name]).toBeUndefined();
    expect(shown.update_contact?.inputSchema).toMatchObject({ required: ["contact_id"], additionalProperties: false });
    expect(shown.get_contact?.annotations).toMatchObject({ readOnlyHint: true });
    const contact = await use(client, "create_contact", { account_id, name: "Ada Okafor", phone: nextPhone() });
    expect(await use(client, "get_contact", { contact_id: contact.id })).toEqual(contact);
    await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow("There is no tool no_such_tool.");
  });
});

describe("tools", () => {
  test("find, make and change people", async () => {
    const client = await connected();
    const [phone, email] = [nextPhone(), "ada.okafor@harbour.example"];
    const contact = await use(client, "create_contact", { account_id, name: "Ada Okafor", phone, email });
    for (const sought of [{ phone }, { email: email.toUpperCase() }]) {
      const found = await use(client, "lookup_contact", { account_id, ...sought });
      expect(found.data.map(({ id }: Json) => id)).toEqual([contact.id]);
    }
    expect((await use(client, "lookup_contact", { account_id, phone: nextPhone() })).data).toEqual([]);
    expect((await use(client, "search_contacts", { account_id, q: "okafor", limit: 1 })).data).toHaveLength(1);
    const changed = await use(client, "update_contact", { contact_id: contact.id, company: "Harbour" });
    expect(changed).toMatchObject({ company: "Harbour", name: "Ada Okafor" });
    await use(client, "add_tag", { contact_id: contact.id, tag: "vip" });
    expect(await use(client, "add_tag", { contact_id: contact.id, tag: "hot" })).toMatchObject({ tags: ["vip", "hot"] });
    const lead = await use(client, "create_lead", { account_id, name: "Lin", email: "lin@harbour.example" });
    expect(await use(client, "add_tag", { lead_id: lead.id, tag: "hot" })).toMatchObject({ tags: ["hot"] });
    expect(await use(client, "update_lead", { lead_id: lead.id, status: "qualified", notes: "Ready" })).toMatchObject({
      status: "qualified",
      notes: "Ready",
    });
    expect((await use(client, "search_leads", { account_id, status: ["qualified"] })).data).toHaveLength(1);
  });

  test("make and move deals, with notes and a link to pay", async () => {
    const client = await connected();
    const contact = await world.newContact(partner, { account_id });
    const deal = await use(client, "create_deal", {
      account_id,
      contact_id: contact.id,
      name: "Ten seats",
      amount_cents: 120_000,
    });
    expect((await use(client, "list_deals", { contact_id: contact.id })).data).toMatchObject([{ id: deal.id }]);
    const [pipeline] = (await use(client, "list_pipelines", { account_id })).data;
    const stage = pipeline.stages.find(({ name }: Json) => name !== deal.stage).name;
    expect(await use(client, "move_deal", { deal_id: deal.id, stage })).toMatchObject({ stage });
    const lead = await world.newLead(partner, { account_id });
    for (const id of [{ deal_id: deal.id }, { contact_id: contact.id }, { lead_id: lead.id }])
      expect(await use(client, "add_note", { ...id, text: "Called." })).toMatchObject({ body: "Called." });
    const link = await use(client, "create_payment_link", {
      account_id,
      contact_id: contact.id,
      deal_id: deal.id,
      amount_cents: 5_000,
      currency: "usd",
    });
    expect(link).toMatchObject({ contact_id: contact.id, deal_id: deal.id, total_cents: 5_000 });
  });

  test("search what is written down for agents", async () => {
    const client = await connected();
    const source = { account_id, kind: "text", name: "Opening hours", text: "On Saturdays we open from nine to one." };
    const made = await world.call("POST", `${GENERAL}/knowledge-sources`, { key: partner.key, body: source });
    expect(made.status, made.text).toBe(201);
    const { data } = await use(client, "search_knowledge", { account_id, query: "open on Saturdays" });
    expect(data).toMatchObject([{ title: "Opening hours" }]);
  });

  test("show accounts and conversations", async () => {
    const client = await connected();
    expect((await use(client, "list_accounts", { limit: 100 })).data.map(({ id }: Json) => id)).toContain(account_id);
    const inbox = conversationsOf(world, () => partner);
    const { id } = await inbox.begun(await newChannel(world, partner, account_id));
    expect((await use(client, "list_conversations", { account_id, waiting: true })).data).toMatchObject([{ id }]);
    expect(await use(client, "get_conversation", { conversation_id: id })).toMatchObject({ id, unread: 1 });
    expect((await use(client, "list_messages", { conversation_id: id })).data).toMatchObject([{ text: "Hello" }]);
  });
});

describe("refusals", () => {
  test("a key has the tools of its scopes, and others say which scope is missing", async () => {
    const key = await world.newKey(partner, { scopes: ["contacts:read", "deals:write"] });
    const client = await connected(key);
    expect(await namesOf(client)).toEqual([
      "search_contacts",
      "lookup_contact",
      "get_contact",
      "add_note",
      "create_deal",
      "move_deal",
    ]);
    const note = (await client.listTools()).tools.find(({ name }) => name === "add_note")?.inputSchema;
    expect(Object.keys(note?.properties ?? {})).toEqual(["deal_id", "text"]);
    const { id } = await world.newContact(partner, { account_id });
    expect(await use(client, "update_contact", { contact_id: id, name: "Eve" })).toEqual({
      refused: {
        code: "insufficient_scope",
        detail: "This operation needs the scope contacts:write, which the key does not have.",
        required_scope: "contacts:write",
      },
    });
    const denied = (await auditLog(world, partner.key)).filter(({ outcome }: Json) => outcome === "denied");
    expect(denied).toMatchObject([{ action: "contacts.update" }]);
  });

  test("what belongs to others is not found: another partner's, and another account's for a key that is bound", async () => {
    const stranger = await connected((await world.newPartner()).key);
    const contact = await world.newContact(partner, { account_id });
    const other = await world.newClient(partner);
    const bound = await connected(await world.newKey(partner, { clients: [other.id] }));
    for (const client of [stranger, bound]) {
      for (const [tool, args] of [
        ["get_contact", {}],
        ["update_contact", { name: "Eve" }],
        ["add_tag", { tag: "mine" }],
        ["add_note", { text: "Mine" }],
      ] as const) {
        const { refused } = await use(client, tool, { contact_id: contact.id, ...args });
        expect(refused).toEqual({ code: "not_found", detail: `${contact.id} was not found.` });
      }
      const made = await use(client, "create_lead", { account_id, name: "Eve", email: "eve@harbour.example" });
      expect(made.refused).toMatchObject({ code: "validation_failed", errors: [{ code: "unknown_account" }] });
    }
    expect(await use(bound, "create_lead", { name: "Lin", phone: nextPhone() })).toMatchObject({ account_id: other.id });
  });

  test("arguments are checked as the API checks them", async () => {
    const client = await connected();
    const contact = await world.newContact(partner, { account_id });
    const codeOf = async (tool: string, args: Record<string, unknown>) => {
      const { refused } = await use(client, tool, args);
      return [refused.code, refused.errors?.[0]?.pointer];
    };
    expect(await codeOf("get_contact", {})).toEqual(["validation_failed", "#/contact_id"]);
    expect(await codeOf("get_contact", { contact_id: "con_1" })).toEqual(["not_found", undefined]);
    expect(await codeOf("update_contact", { contact_id: contact.id, colour: "red" })).toEqual(["validation_failed", "#/colour"]);
    expect(await codeOf("update_contact", { contact_id: contact.id, phone: "12" })).toEqual(["invalid_phone", "#/phone"]);
    expect(await codeOf("update_contact", { contact_id: contact.id })).toEqual(["validation_failed", "#"]);
    expect(await codeOf("search_contacts", { limit: 101 })).toEqual(["validation_failed", "#/limit"]);
    expect(await codeOf("search_contacts", { cursor: "x" })).toEqual(["invalid_cursor", undefined]);
    const { id: lead_id } = await world.newLead(partner, { account_id });
    const both = { contact_id: contact.id, lead_id, tag: "vip" };
    expect((await use(client, "add_tag", both)).refused).toEqual({
      code: "validation_failed",
      detail: "Give exactly one of contact_id, lead_id.",
    });
    expect(await codeOf("add_tag", { tag: "vip" })).toEqual(["validation_failed", undefined]);
  });
});

describe("what is done by tools", () => {
  test("is in the audit log under the operations that the tools are, reads included", async () => {
    const own = await world.newPartner();
    const client = await connected(own.key);
    const lead = await use(client, "create_lead", { name: "Lin", phone: nextPhone() });
    await use(client, "get_lead", { lead_id: lead.id });
    await use(client, "update_lead", { lead_id: lead.id, status: "qualified" });
    const entries = await auditLog(world, own.key);
    expect(entries.map(({ action }: Json) => action)).toEqual([
      "partners.create",
      "leads.create",
      "leads.update",
      "leads.update",
      "leads.get",
    ]);
    expect(entries[1]).toMatchObject({ target: lead.id, outcome: "success" });
  });

  test("happens once for an Idempotency-Key", async () => {
    const call = rpc("tools/call", { name: "create_lead", arguments: { account_id, name: "Once", phone: nextPhone() } });
    const [first, again] = [await post(call, { "idempotency-key": "once" }), await post(call, { "idempotency-key": "once" })];
    expect(first.body.result.structuredContent).toMatchObject({ name: "Once" });
    expect(again.body).toEqual(first.body);
    const changed = await post(
      { ...call, params: { ...call.params, arguments: { name: "Twice" } } },
      { "idempotency-key": "once" },
    );
    expect(changed.body.result).toMatchObject({ isError: true, structuredContent: { code: "idempotency_key_reused" } });
  });
});

describe("requests that are none", () => {
  test("other methods, bodies and types are refused as everywhere", async () => {
    const get = await world.call("GET", `${GENERAL}/mcp`, { key: partner.key });
    expect([get.status, get.body.code, get.headers.allow]).toEqual([405, "method_not_allowed", "POST"]);
    expect((await world.call("DELETE", `${GENERAL}/mcp`, { key: partner.key })).status).toBe(405);
    expect((await world.call("POST", `${GENERAL}/mcp`, { body: rpc("ping") })).body.code).toBe("missing_credentials");
    const codeOf = async (body: unknown, headers = {}) => (await post(body, headers)).body.code;
    expect(await codeOf("{", { "content-type": "application/json" })).toBe("invalid_json");
    expect(await codeOf([rpc("ping")])).toBe("validation_failed");
    expect(await codeOf({ jsonrpc: "1.0", id: 1, method: "ping" })).toBe("validation_failed");
    expect(await codeOf({ jsonrpc: "2.0", id: {}, method: "ping" })).toBe("validation_failed");
    expect(await codeOf("ping", { "content-type": "text/plain" })).toBe("unsupported_media_type");
    expect(await codeOf({ ...rpc("ping"), params: { text: "x".repeat(300_000) } })).toBe("payload_too_large");
    expect(await codeOf(rpc("ping"), { accept: "text/html" })).toBe("not_acceptable");
  });

  test("messages of JSON-RPC are answered in kind", async () => {
    expect((await post(rpc("ping"))).body).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    expect((await post(rpc("no/such"))).body).toMatchObject({ id: 7, error: { code: -32_601 } });
    expect((await post(rpc("subscriptions/listen"))).body).toMatchObject({ error: { code: -32_601 } });
    expect((await post(rpc("tools/call", { name: 5 }))).body).toMatchObject({ error: { code: -32_602 } });
    const noted = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([noted.status, noted.text]).toEqual([202, ""]);
    const old = await post(rpc("ping"), { "mcp-protocol-version": "1999-01-01" });
    expect([old.status, old.body.error.message]).toEqual([400, expect.stringContaining("Unsupported protocol version")]);
  });
});
