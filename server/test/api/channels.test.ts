import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  adapterOf,
  type ChannelKind,
  isOptedOut,
  netOf,
  noteChannelError,
  type Outgoing,
  openChannel,
  optIn,
  optOut,
} from "../../src/features/inbox/channels/index.ts";
import { twilioSignature } from "../../src/features/inbox/channels/sms/wire.ts";
import { newId } from "../../src/kernel/ids.ts";
import { signatureHeaders } from "../../src/platform/crypto/webhook-signature.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { type HookServer, startHooks } from "../harness/hooks.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

let hooks: HookServer;
const world = useWorld({ egress: "development", baseUrl: () => hooks?.origin ?? "http://tributary.test" }, "api");
let provider: Receiver;
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  provider = await startReceiver();
  hooks = await startHooks(world);
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});
afterAll(async () => {
  await hooks.close();
  await provider.close();
});

const call = (method: string, path: string, body?: object, key = partner.key, headers = {}) =>
  world.call(method, `/v1${path}`, { key, body, headers });
const codeOf = ({ status, body }: Json) => [status, body.code];
const faultsOf = ({ body }: Json) => body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);

const SECRET = "whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGU=";
const SID = `AC${"0a".repeat(16)}`;
const TOKEN = "auth-token-of-twilio";
const WHATSAPP = { token: "EAAG-token", app_secret: "app-secret", verify_token: "verify-me" };

let made = 0;
/** A channel of a kind, whose provider is the receiver of this file. */
async function newChannel(kind: ChannelKind, fields: object = {}): Promise<Json> {
  made += 1;
  const base_url = `${provider.origin}/${made}`;
  const given: Partial<Record<ChannelKind, object>> = {
    api: { config: { url: `${base_url}/api` }, secrets: { secret: SECRET } },
    sms: { config: { account_sid: SID, from: "+15550100000", base_url }, secrets: { auth_token: TOKEN } },
    whatsapp: { config: { phone_number_id: "106540352242922", base_url }, secrets: WHATSAPP },
  };
  const body = { account_id, kind, name: `${kind} ${made}`, ...given[kind], ...fields };
  const { status, body: channel } = await call("POST", "/channels", body);
  expect([status, channel]).toMatchObject([201, { kind }]);
  return { ...channel, base_path: `/${made}`, token: channel.hook_path.slice("/hooks/".length) };
}

const open = async (id: string) => {
  const channel = await openChannel(
    world.app.services.db,
    world.app.services.sealer,
    { partner_id: partner.partner_id, clients: "all" },
    id,
  );
  if (channel === null) throw new Error("archived");
  return channel;
};

function outgoing(fields: Partial<Outgoing> = {}): Outgoing {
  return {
    id: newId("message", world.clock.now().getTime()),
    conversation_id: newId("conversation", 0),
    to: "+4915112345678",
    subject: null,
    text: "Until six.",
    html: null,
    template: null,
    attachments: [],
    reply_token: "x",
    thread: {},
    attempt: 1,
    ...fields,
  };
}

async function send(id: string, message: Outgoing = outgoing()) {
  const channel = await open(id);
  return adapterOf(channel.kind).send(channel, message, netOf(world.app.services));
}

const answerWith = (path: string, status: number, body: unknown, headers = {}) =>
  provider.answer(
    path,
    (response) => void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body)),
  );

describe("a channel", () => {
  test("is created, read, changed and archived; its secrets are never shown", async () => {
    const channel = await newChannel("sms", { hours: { mon: [{ from: "09:00", to: "17:30" }] }, timezone: "Europe/Berlin" });
    expect(channel).toMatchObject({
      account_id,
      status: "active",
      secrets_set: true,
      per_minute: 60,
      agent_id: null,
      version: 1,
    });
    expect(channel.hook_path).toMatch(/^\/hooks\/[0-9A-Za-z]{13}$/);
    const changed = await call(
      "PATCH",
      `/channels/${channel.id}`,
      { config: { from: "+15550100001" }, secrets: { auth_token: "another-token" } },
      partner.key,
      { "if-match": '"1"' },
    );
    expect(changed.body).toMatchObject({ version: 2, config: { account_sid: SID, from: "+15550100001" } });
    expect((await open(channel.id)).secrets).toEqual({ auth_token: "another-token" });
    expect(codeOf(await call("PATCH", `/channels/${channel.id}`, { name: "X" }, partner.key, { "if-match": '"1"' }))).toEqual([
      412,
      "version_mismatch",
    ]);
    expect((await call("PATCH", `/channels/${channel.id}`, { per_minute: 60 })).body.version).toBe(2);
    expect((await call("PATCH", `/channels/${channel.id}`, { status: "paused", hours: null })).body).toMatchObject({
      status: "paused",
      hours: null,
    });
    const read = await call("GET", `/channels/${channel.id}`);
    const entries = await auditLog(world, partner.key, { target: channel.id });
    const stored = JSON.stringify(await world.db.sql("select config, secrets, hours from channels where id = $1", [channel.id]));
    for (const text of [read.text, changed.text, JSON.stringify(entries), stored])
      expect(text).not.toMatch(/auth-token|another-token/);
    for (const _ of [1, 2]) expect((await call("DELETE", `/channels/${channel.id}`)).status).toBe(204);
    expect((await call("GET", `/channels/${channel.id}`)).body).toMatchObject({
      status: "paused",
      archived_at: expect.any(String),
    });
    expect(codeOf(await call("PATCH", `/channels/${channel.id}`, { name: "X" }))).toEqual([409, "invalid_state_transition"]);
    const actions = (await auditLog(world, partner.key, { target: channel.id })).map(({ action }: Json) => action);
    expect(actions).toEqual(["channels.create", "channels.update", "channels.update", "channels.archive"]);
    const gone = await fetch(hooks.origin + channel.hook_path, { method: "POST", body: "x" });
    expect([gone.status, ((await gone.json()) as Json).code]).toEqual([404, "not_found"]);
  });

  test("has the configuration of its kind, and nothing else", async () => {
    const create = (fields: object) => call("POST", "/channels", { account_id, name: "Faulty", kind: "sms", ...fields });
    const config = { account_sid: SID, from: "+15550100000" };
    const secrets = { auth_token: TOKEN };
    const refused = async (fields: object) => faultsOf(await create(fields)).map((fault: string) => fault.split(" ")[0]);
    expect(await refused({ config: { ...config, colour: "red" }, secrets })).toEqual(["#/config/colour"]);
    expect(await refused({ config: { account_sid: "AC1" }, secrets })).toEqual(
      expect.arrayContaining(["#/config/account_sid", "#/config/from"]),
    );
    expect(await refused({ config, secrets: {} })).toEqual(["#/secrets/auth_token"]);
    expect(await refused({ config, secrets: { ...secrets, token: "x" } })).toEqual(["#/secrets/token"]);
    expect(await refused({ config: { ...config, base_url: "ftp://x" }, secrets })).toEqual(["#/config/base_url"]);
    expect(await refused({ kind: "fax" })).toContain("#/kind");
    const hours = {
      mon: [
        { from: "09:00", to: "12:00" },
        { from: "11:00", to: "17:00" },
      ],
    };
    expect(await refused({ config, secrets, hours, timezone: "Europe/Berlin" })).toEqual(["#/hours/mon/1"]);
    expect(await refused({ config, secrets, hours: { sun: [{ from: "17:00", to: "09:00" }] }, timezone: "UTC" })).toEqual([
      "#/hours/sun/0",
    ]);
    expect(await refused({ config, secrets, hours })).toEqual(["#/timezone"]);
    expect(await refused({ config, secrets, timezone: "Mars/Olympus" })).toEqual(["#/timezone"]);
  });

  test("has a name of its own in its account until it is archived", async () => {
    const { id, name } = await newChannel("api", { name: "Desk" });
    const again = await call("POST", "/channels", {
      account_id,
      kind: "api",
      name: "DESK",
      config: { url: provider.origin },
      secrets: { secret: SECRET },
    });
    expect([...codeOf(again), again.body.existing_id]).toEqual([409, "duplicate_channel", id]);
    const other = await newChannel("api");
    expect(codeOf(await call("PATCH", `/channels/${other.id}`, { name: "desk" }))).toEqual([409, "duplicate_channel"]);
    await call("DELETE", `/channels/${id}`);
    await newChannel("api", { name });
  });

  test("is one of fifty at most, however many are created at once", async () => {
    const { id } = await world.newClient(partner);
    const body = (n: number) => ({
      account_id: id,
      kind: "api",
      name: `Channel ${n}`,
      config: { url: provider.origin },
      secrets: { secret: SECRET },
    });
    await world.db.sql(
      `insert into channels (partner_id, id, account_id, kind, name, config, token, per_minute, created_at, updated_at)
       select $1, 'chn_' || n, $2, 'api', 'Channel ' || n, '{}', 'token ' || n, 60, $3, $3 from generate_series(0, 48) n`,
      [partner.partner_id, id, world.clock.now()],
    );
    const replies = await Promise.all([49, 50, 51].map((n) => call("POST", "/channels", body(n))));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: "channel_limit_reached", limit: 50 });
  });

  test("is listed by account, kind and status", async () => {
    const { id } = await world.newClient(partner);
    const [sms, api] = [
      await newChannel("sms", { account_id: id }),
      await newChannel("api", { account_id: id, status: "paused" }),
    ];
    const ids = async (query: object) =>
      (await walk(world, partner.key, "/v1/channels", { account_id: id, limit: "1", ...query })).map((one: Json) => one.id);
    expect(await ids({})).toEqual([api.id, sms.id]);
    expect(await ids({ kind: "sms" })).toEqual([sms.id]);
    expect(await ids({ status: "paused" })).toEqual([api.id]);
    await call("DELETE", `/channels/${sms.id}`);
    expect(await ids({ archived: "true" })).toEqual([sms.id]);
    const bound = await world.newKey(partner, { clients: [account_id] });
    expect(codeOf(await call("GET", `/channels/${api.id}`, undefined, bound))).toEqual([404, "not_found"]);
  });

  test("is made once by a request that is repeated", async () => {
    const body = { account_id, kind: "api", name: "Once", config: { url: provider.origin }, secrets: { secret: SECRET } };
    const replies = [];
    for (const _ of [1, 2])
      replies.push(await call("POST", "/channels", body, partner.key, { "idempotency-key": "channel-once" }));
    expect(replies.map(({ body: { id } }) => id)).toEqual([replies[0]?.body.id, replies[0]?.body.id]);
  });

  test("gets into error and out of it", async () => {
    const channel = await newChannel("sms");
    const path = `${channel.base_path}/2010-04-01/Accounts/${SID}.json`;
    answerWith(path, 401, { code: 20003, message: "Authenticate" });
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({
      ok: false,
      code: "20003",
      status: "error",
    });
    expect((await call("GET", `/channels/${channel.id}`)).body.last_error).toMatchObject({ code: "20003" });
    answerWith(path, 200, { status: "active" });
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({ ok: true, code: null, status: "active" });
    answerWith(path, 200, { status: "suspended" });
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({ ok: false, status: "error" });
    const mended = await call("PATCH", `/channels/${channel.id}`, { secrets: { auth_token: "the-right-token" } });
    expect(mended.body).toMatchObject({ status: "active", last_error: null });
    const { db } = world.app.services;
    const error = { code: "20003", detail: "Refused.", at: world.clock.now() };
    await noteChannelError(db, await open(channel.id), error, world.clock.now());
    expect((await call("GET", `/channels/${channel.id}`)).body).toMatchObject({ status: "error", last_error: { code: "20003" } });
    await noteChannelError(db, await open(channel.id), null, world.clock.now());
    expect((await call("GET", `/channels/${channel.id}`)).body).toMatchObject({ status: "active", last_error: null });
  });

  test("whose secrets cannot be opened sends nothing until they are set again", async () => {
    const channel = await newChannel("sms");
    await world.db.sql("update channels set secrets = $2 where id = $1", [channel.id, Buffer.from("sealed under another key")]);
    expect(await open(channel.id)).toMatchObject({ status: "error", secrets: {} });
    const refused = await fetch(hooks.origin + channel.hook_path, { method: "POST", body: "MessageSid=SM1" });
    expect(refused.status).toBe(401);
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({ ok: false, code: "secrets_missing" });
    const mended = await call("PATCH", `/channels/${channel.id}`, { secrets: { auth_token: TOKEN } });
    expect([mended.status, mended.body.status]).toEqual([200, "active"]);
    expect(await open(channel.id)).toMatchObject({ status: "active", secrets: { auth_token: TOKEN } });
  });
});

describe("an address that opted out", () => {
  test("is known again, in its account and kind alone, without being stored", async () => {
    const { services } = world.app;
    const of = { partner_id: partner.partner_id, account_id, kind: "sms", address: "+4915112345678" } as const;
    const ctx = createContext(services, { principal: { type: "system", partner_id: partner.partner_id } });
    const known = (fields: object = {}) => isOptedOut(services.db, services.signer, { ...of, ...fields });
    await ctx.tx((tx) => optOut(tx, services.signer, of));
    await ctx.tx((tx) => optOut(tx, services.signer, of));
    expect(await known()).toBe(true);
    expect(await known({ kind: "whatsapp" })).toBe(false);
    expect(await known({ account_id: (await world.newClient(partner)).id })).toBe(false);
    expect(JSON.stringify(await world.db.sql("select * from opt_outs"))).not.toContain("4915112345678");
    await ctx.tx((tx) => optIn(tx, services.signer, of));
    expect(await known()).toBe(false);
  });
});

describe("a message is sent", () => {
  test("by Twilio's API, with an address for its statuses", async () => {
    const channel = await newChannel("sms");
    const path = `${channel.base_path}/2010-04-01/Accounts/${SID}/Messages.json`;
    answerWith(path, 201, { sid: "SM123", status: "queued" });
    const message = outgoing({ text: "Grüße & = +" });
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: "SM123" });
    const { headers, body } = provider.at(path)[0] as Json;
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${SID}:${TOKEN}`).toString("base64")}`);
    expect(Object.fromEntries(new URLSearchParams(body.toString()))).toEqual({
      To: message.to,
      From: "+15550100000",
      Body: "Grüße & = +",
      StatusCallback: `${hooks.origin}${channel.hook_path}?message=${message.id}`,
    });
  });

  test("by the Cloud API, as a text or as a template", async () => {
    const channel = await newChannel("whatsapp");
    const path = `${channel.base_path}/106540352242922/messages`;
    answerWith(path, 200, { messages: [{ id: "wamid.1" }] });
    const message = outgoing();
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: "wamid.1" });
    await send(channel.id, outgoing({ template: { name: "appointment", language: "de", values: ["Kim", "9:00"] } }));
    const [text, template] = provider.at(path).map(({ body }) => JSON.parse(body.toString()));
    expect(provider.at(path)[0]?.headers.authorization).toBe("Bearer EAAG-token");
    expect(text).toMatchObject({
      to: "4915112345678",
      type: "text",
      text: { body: "Until six." },
      biz_opaque_callback_data: message.id,
    });
    expect(template.template).toEqual({
      name: "appointment",
      language: { code: "de" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "Kim" },
            { type: "text", text: "9:00" },
          ],
        },
      ],
    });
  });

  test("to a program of the account's own, signed", async () => {
    const channel = await newChannel("api");
    const path = `${channel.base_path}/api`;
    const message = outgoing({ to: "visitor-7" });
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: message.id });
    answerWith(path, 200, { id: "own-1" });
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: "own-1" });
    const { headers, body } = provider.at(path)[0] as Json;
    const at_seconds = Number(headers["webhook-timestamp"]);
    const expected = signatureHeaders({ brand: "Service", event_id: message.id, secrets: [SECRET], body, at_seconds });
    expect(headers).toMatchObject(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name.toLowerCase(), value])),
    );
    expect(JSON.parse(body.toString())).toMatchObject({ type: "message", id: message.id, to: "visitor-7", text: "Until six." });
  });

  test.each([
    [
      429,
      { code: 20429, message: "Too many" },
      { "retry-after": "7" },
      { result: "passing", code: "20429", retry_after_ms: 7000 },
    ],
    [503, "down", {}, { result: "passing", code: "http_503" }],
    [
      400,
      { code: 21211, message: "The 'To' number +4915112345678 is not valid" },
      {},
      { result: "permanent", code: "21211", detail: "The 'To' number the recipient is not valid" },
    ],
    [400, { code: 21610, message: "Unsubscribed" }, {}, { result: "opted_out", code: "21610" }],
    [401, { code: 20003, message: "Authenticate" }, {}, { result: "config", code: "20003" }],
    [403, {}, {}, { result: "config", code: "http_403" }],
    [404, {}, {}, { result: "permanent", code: "http_404" }],
    [302, {}, { location: "https://elsewhere.example" }, { result: "config", code: "http_302" }],
  ])("or not: a %i with %o", async (status, body, headers, expected) => {
    const channel = await newChannel("sms");
    answerWith(`${channel.base_path}/2010-04-01/Accounts/${SID}/Messages.json`, status, body, headers);
    expect(await send(channel.id)).toMatchObject(expected);
  });

  test("or not: WhatsApp's codes count before its statuses", async () => {
    const channel = await newChannel("whatsapp");
    const path = `${channel.base_path}/106540352242922/messages`;
    for (const [code, result] of Object.entries({ 131056: "passing", 131026: "permanent", 131050: "opted_out", 190: "config" })) {
      answerWith(path, 400, { error: { code: Number(code), message: "No", error_data: { details: "to 4915112345678" } } });
      expect(await send(channel.id)).toMatchObject({ result, code, detail: "to the recipient" });
    }
    provider.answer(path, (response) => void response.destroy());
    expect(await send(channel.id)).toMatchObject({ result: "passing", code: "no_answer" });
  });

  test("or was: Twilio's list tells", async () => {
    const channel = await newChannel("sms");
    const message = outgoing();
    const path = `${channel.base_path}/2010-04-01/Accounts/${SID}/Messages.json?To=%2B4915112345678&PageSize=50`;
    const confirm = async () => adapterOf("sms").confirm?.(await open(channel.id), message, netOf(world.app.services));
    const one = { body: message.text, direction: "outbound-api", date_created: world.clock.now().toUTCString() };
    const listed = async (...messages: object[]) => {
      answerWith(path, 200, { messages });
      return confirm();
    };
    expect(await listed(one)).toBe("sent");
    expect(await listed({ ...one, body: "Another" }, { ...one, direction: "inbound" })).toBe("absent");
    expect(await listed({ ...one, date_created: new Date(world.clock.now().getTime() - 60_000).toUTCString() })).toBe("absent");
    answerWith(path, 500, {});
    expect(await confirm()).toBe("unknown");
  });
});

describe("a hook", () => {
  const post = async (channel: Json, body: string | Buffer, headers: Record<string, string> = {}, query = "") => {
    const reply = await fetch(hooks.origin + channel.hook_path + query, { method: "POST", body, headers });
    return { status: reply.status, text: await reply.text(), type: reply.headers.get("content-type") };
  };
  const receivedOn = (channel: Json) => hooks.received.filter((one) => one.channel.id === channel.id).map(({ item }) => item);
  const twilioHeaders = (channel: Json, body: string, query = "") => ({
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": twilioSignature(TOKEN, hooks.origin + channel.hook_path + query, new URLSearchParams(body)),
  });

  test("takes what its provider signed, and nothing else", async () => {
    const channel = await newChannel("sms");
    const body = new URLSearchParams({ MessageSid: "SM1", From: "+4915112345678", Body: "Hello" }).toString();
    const taken = await post(channel, body, twilioHeaders(channel, body));
    expect(taken).toMatchObject({ status: 200, type: "text/xml; charset=utf-8", text: expect.stringContaining("<Response>") });
    const status = new URLSearchParams({ MessageSid: "SM2", MessageStatus: "delivered" }).toString();
    const query = `?message=${outgoing().id}`;
    expect((await post(channel, status, twilioHeaders(channel, status, query), query)).status).toBe(200);
    expect(receivedOn(channel)).toMatchObject([
      { type: "message", text: "Hello" },
      { type: "status", status: "delivered" },
    ]);
    for (const headers of [{}, { "x-twilio-signature": "" }, { "x-twilio-signature": "bm8=" }, twilioHeaders(channel, "")]) {
      const refused = await post(channel, body, headers);
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, "invalid_signature"]);
    }
    expect(receivedOn(channel)).toHaveLength(2);
  });

  test("answers WhatsApp's challenge", async () => {
    const channel = await newChannel("whatsapp");
    const ask = (token: string) =>
      fetch(`${hooks.origin}${channel.hook_path}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`);
    expect(await (await ask("verify-me")).text()).toBe("42");
    expect((await ask("wrong")).status).toBe(401);
    const body = JSON.stringify({
      entry: [
        {
          changes: [
            {
              field: "messages",
              value: {
                metadata: { phone_number_id: "106540352242922" },
                messages: [{ id: "wamid.1", from: "4915112345678", type: "text", text: { body: "Hi" } }],
              },
            },
          ],
        },
      ],
    });
    const signature = `sha256=${createHmac("sha256", WHATSAPP.app_secret).update(body).digest("hex")}`;
    expect((await post(channel, body, { "x-hub-signature-256": signature })).status).toBe(200);
    expect(receivedOn(channel)).toMatchObject([{ provider_id: "wamid.1", from: "+4915112345678", text: "Hi" }]);
  });

  test("says what is wrong to a program of the account's own", async () => {
    const channel = await newChannel("api");
    const sign = (body: string) =>
      signatureHeaders({
        brand: "Service",
        event_id: "e-1",
        secrets: [SECRET],
        body: Buffer.from(body),
        at_seconds: Math.floor(world.clock.now().getTime() / 1000),
      });
    const good = JSON.stringify({ type: "message", id: "m-1", from: "visitor-7", text: "Hello" });
    expect((await post(channel, good, sign(good))).status).toBe(200);
    const bad = JSON.stringify({ type: "message", id: "m-2", from: "visitor-7" });
    const refused = await post(channel, bad, sign(bad));
    expect([refused.status, JSON.parse(refused.text).errors[0].pointer]).toEqual([422, "#/text"]);
    expect(receivedOn(channel)).toHaveLength(1);
  });

  test("is to be called again when nothing could be stored", async () => {
    const channel = await newChannel("sms");
    const body = "MessageSid=SM9&From=%2B4915112345678&Body=Hello";
    hooks.fail(new Error("the database is away"));
    const refused = await fetch(hooks.origin + channel.hook_path, {
      method: "POST",
      body,
      headers: twilioHeaders(channel, body),
    });
    hooks.fail(null);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await refused.json()).toMatchObject({ code: "service_unavailable" });
  });

  test("of an unknown token, a body that is too large, or another method is refused", async () => {
    const channel = await newChannel("sms");
    const call = async (path: string, init: RequestInit) => {
      const reply = await fetch(hooks.origin + path, init);
      return [reply.status, ((await reply.json()) as Json).code];
    };
    expect(await call("/hooks/0000000000000", { method: "POST" })).toEqual([404, "not_found"]);
    expect(await call("/hooks/short", { method: "POST" })).toEqual([404, "not_found"]);
    expect(await call(channel.hook_path, { method: "POST", body: "x".repeat(1024 * 1024 + 1) })).toEqual([
      413,
      "payload_too_large",
    ]);
    expect(await call(channel.hook_path, { method: "PUT", body: "x" })).toEqual([405, "method_not_allowed"]);
  });
});

describe("the simulator", () => {
  const until = async (check: () => boolean) => {
    while (!check()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const receivedOn = (channel: Json) =>
    hooks.received.filter((one) => one.channel.id === channel.id).map(({ item }) => item as Json);
  const say = (channel: Json, body: object) =>
    fetch(`${hooks.origin}/simulator/${channel.token}/messages`, { method: "POST", body: JSON.stringify(body) });

  test("takes messages, reports what becomes of them, and lets people answer", async () => {
    const channel = await newChannel("simulator", {});
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({ ok: true });
    const message = outgoing({ to: "+15550100001" });
    const sent = (await send(channel.id, message)) as Json;
    expect(sent).toMatchObject({ result: "accepted", provider_id: expect.stringMatching(/^SM/) });
    await until(() => receivedOn(channel).length === 2);
    expect(receivedOn(channel).map(({ status, message_id }) => [status, message_id])).toEqual([
      ["sent", message.id],
      ["delivered", message.id],
    ]);
    expect(await adapterOf("simulator").confirm?.(await open(channel.id), message, netOf(world.app.services))).toBe("sent");
    expect((await say(channel, { from: "+15550100001", text: "Thanks", name: "Kim" })).status).toBe(201);
    expect(receivedOn(channel).at(-1)).toMatchObject({
      type: "message",
      from: "+15550100001",
      text: "Thanks",
      profile: { name: "Kim" },
    });
    await say(channel, { from: "+15550100001", text: "STOP" });
    expect(await send(channel.id, message)).toMatchObject({ result: "opted_out", code: "21610" });
    await say(channel, { from: "+15550100001", text: "start" });
    expect(await send(channel.id, message)).toMatchObject({ result: "accepted" });
    const shown = (await (
      await fetch(`${hooks.origin}/simulator/${channel.token}/messages?number=%2B15550100001`)
    ).json()) as Json;
    expect(shown.messages.map(({ body }: Json) => body)).toEqual(["Until six.", "start", "STOP", "Thanks", "Until six."]);
    expect((await say(channel, { from: "nobody", text: "" })).status).toBe(422);
  });

  test("fails as it is told to, the same way every time", async () => {
    const results = async (seed: number) => {
      const channel = await newChannel("simulator", { config: { faults: { fail: 0.5, duplicate: 1, reorder: 1, seed } } });
      const outcomes = [];
      for (let n = 0; n < 12; n += 1)
        outcomes.push(((await send(channel.id, outgoing({ to: `+1555010${1000 + n}` }))) as Json).result);
      const accepted = outcomes.filter((result) => result === "accepted").length;
      await until(() => receivedOn(channel).length === accepted * 4);
      return { outcomes, accepted };
    };
    const [one, again] = [await results(7), await results(7)];
    expect(again).toEqual(one);
    expect(one.accepted).toBeGreaterThan(0);
    expect(one.accepted).toBeLessThan(12);
  });

  test("is known to its own channels alone", async () => {
    const [channel, api] = [await newChannel("simulator", {}), await newChannel("api")];
    expect((await fetch(`${hooks.origin}/simulator/${api.token}/messages`)).status).toBe(404);
    const account = `${hooks.origin}/simulator/${channel.token}/2010-04-01/Accounts/${SID}.json`;
    expect((await fetch(account)).status).toBe(401);
  });
});
