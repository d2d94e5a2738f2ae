import { beforeAll, describe, expect, test } from "vitest";
import { noteChannelError, optedOutAt, optIn, optOut } from "../../src/features/inbox/channels/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { SECRET, SID, TOKEN, useChannels } from "../harness/channels.ts";
import { auditLog, walk } from "../harness/lists.ts";
import type { Json, TestPartner } from "../harness/world.ts";

const stage = useChannels();
const { world, call, newChannel, open, answerWith } = stage;
let partner: TestPartner;
let account_id: string;

beforeAll(() => {
  partner = stage.partner();
  account_id = stage.account_id();
});

const codeOf = ({ status, body }: Json) => [status, body.code];
const faultsOf = ({ body }: Json) => body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);

describe("a channel", () => {
  test("is created, read, changed and archived; its secrets are never shown", async () => {
    const channel = await newChannel("sms", { hours: { mon: [{ from: "09:00", to: "17:30" }] }, timezone: "Europe/Berlin" });
    expect(channel).toMatchObject({
      account_id,
      status: "active",
      secrets_set: true,
      per_minute: 60,
      capabilities: { text_max: 1_600, attachments: true, window_hours: null, delivered: true, read: false },
      agent_id: null,
      version: 1,
    });
    expect((await newChannel("webchat")).capabilities).toMatchObject({ attachments: false, window_hours: null });
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
    const refused = await call("PATCH", `/channels/${channel.id}`, { secrets: { colour: "red" } });
    expect(faultsOf(refused).map((fault: string) => fault.split(" ")[0])).toEqual(["#/secrets/colour"]);
    expect((await call("PATCH", `/channels/${channel.id}`, { config: { from: "+15550100002" } })).body.status).toBe("paused");
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
    const updates = Array(3).fill("channels.update");
    expect(actions).toEqual(["channels.create", ...updates, "channels.archive"]);
    const gone = await fetch(stage.hooks().origin + channel.hook_path, { method: "POST", body: "x" });
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
      config: { url: stage.provider().origin },
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
      config: { url: stage.provider().origin },
      secrets: { secret: SECRET },
    });
    await world.db.sql(
      `insert into channels (partner_id, id, account_id, kind, name, config, token, per_minute, created_at, updated_at)
       select $1, 'chn_' || n, $2, 'api', 'Channel ' || n, '{}', 'token ' || n, 60, $3, $3 from generate_series(-1, 48) n`,
      [partner.partner_id, id, world.clock.now()],
    );
    await world.db.sql("update channels set archived_at = $1 where id = 'chn_-1'", [world.clock.now()]);
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
    const body = { account_id, kind: "api", name: "Once", config: { url: stage.provider().origin }, secrets: { secret: SECRET } };
    const replies = [];
    for (const _ of [1, 2])
      replies.push(await call("POST", "/channels", body, partner.key, { "idempotency-key": "channel-once" }));
    expect(replies.map(({ body: { id } }) => id)).toEqual([replies[0]?.body.id, replies[0]?.body.id]);
  });

  test("is tested once by a request that is repeated, and not at all by one for an older version", async () => {
    const channel = await newChannel("sms");
    const path = `${channel.base_path}/2010-04-01/Accounts/${SID}.json`;
    answerWith(path, 200, { status: "active" });
    const ask = (headers: Record<string, string>) =>
      call("POST", `/channels/${channel.id}/test`, undefined, partner.key, headers);
    const first = await ask({ "idempotency-key": "test-once" });
    await call("PATCH", `/channels/${channel.id}`, { name: "Renamed" });
    const again = await ask({ "idempotency-key": "test-once" });
    expect([first.body.ok, again.text, again.headers["idempotent-replayed"]]).toEqual([true, first.text, "true"]);
    expect(codeOf(await ask({ "if-match": '"1"' }))).toEqual([412, "version_mismatch"]);
    expect(stage.provider().at(path)).toHaveLength(1);
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
    await call("PATCH", `/channels/${channel.id}`, { status: "paused" });
    await noteChannelError(db, await open(channel.id), error, world.clock.now());
    expect((await call("GET", `/channels/${channel.id}`)).body).toMatchObject({ status: "paused", last_error: null });
  });

  test("keeps its state where a provider refuses or accepts what it was before", async () => {
    const channel = await newChannel("sms");
    const path = `${channel.base_path}/2010-04-01/Accounts/${SID}.json`;
    const stateOf = async () => (await call("GET", `/channels/${channel.id}`)).body;
    const before = await open(channel.id);
    await call("PATCH", `/channels/${channel.id}`, { secrets: { auth_token: "the-second-token" } });
    const error = { code: "20003", detail: "Refused.", at: world.clock.now() };
    await noteChannelError(world.app.services.db, before, error, world.clock.now());
    expect(await stateOf()).toMatchObject({ status: "active", last_error: null });
    /** Changes the channel while the provider answers for what it was before. */
    const answerLate = (code: number, body: object, change: object) =>
      stage.provider().answer(path, async (response) => {
        await call("PATCH", `/channels/${channel.id}`, change);
        response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    answerLate(401, { code: 20003, message: "Authenticate" }, { secrets: { auth_token: "the-third-token" } });
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({ ok: false, status: "active" });
    expect(await stateOf()).toMatchObject({ status: "active", last_error: null });
    await noteChannelError(world.app.services.db, await open(channel.id), error, world.clock.now());
    answerLate(200, { status: "active" }, { name: "Renamed meanwhile" });
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({ ok: true, status: "error" });
    expect(await stateOf()).toMatchObject({ status: "error", last_error: { code: "20003" } });
  });

  test("whose secrets cannot be opened sends nothing until they are set again", async () => {
    const channel = await newChannel("sms");
    await world.db.sql("update channels set secrets = $2 where id = $1", [channel.id, Buffer.from("sealed under another key")]);
    expect(await open(channel.id)).toMatchObject({ status: "error", secrets: {} });
    const refused = await fetch(stage.hooks().origin + channel.hook_path, { method: "POST", body: "MessageSid=SM1" });
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
    const known = (fields: object = {}) => optedOutAt(services.db, services.signer, { ...of, ...fields });
    await ctx.tx((tx) => optOut(tx, services.signer, of));
    world.clock.advance(1_000);
    await ctx.tx((tx) => optOut(tx, services.signer, of));
    expect(await known()).toEqual(world.clock.now());
    expect(await known({ kind: "whatsapp" })).toBeNull();
    expect(await known({ account_id: (await world.newClient(partner)).id })).toBeNull();
    expect(JSON.stringify(await world.db.sql("select * from opt_outs"))).not.toContain("4915112345678");
    await ctx.tx((tx) => optIn(tx, services.signer, of));
    expect(await known()).toBeNull();
  });
});
