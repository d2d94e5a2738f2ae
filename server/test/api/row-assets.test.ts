import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Asset, Change, Live, Spec } from "../../src/features/accounts/configuring/index.ts";
import { tagAsset } from "../../src/features/accounts/tags/index.ts";
import { messageTemplateAsset } from "../../src/features/accounts/templates/index.ts";
import { savedViewAsset } from "../../src/features/accounts/views/index.ts";
import { agentAsset } from "../../src/features/agents/definitions/index.ts";
import { knowledgeSourceAsset } from "../../src/features/agents/knowledge/index.ts";
import { channelAsset } from "../../src/features/inbox/channels/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { newPerson } from "../harness/people.ts";
import { sized } from "../harness/size.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let accounts: string[];
let untouched: string;

beforeAll(async () => {
  partner = await world.newPartner();
  accounts = [];
  for (const _ of [1, 2, 3]) accounts.push((await world.newClient(partner)).id);
  untouched = (await world.newClient(partner)).id;
});

const SPECS: Record<string, (name: string, filling: string) => Spec> = {
  tag: (name, filling) => ({ name, description: filling || null }),
  message_template: (name, filling) => ({
    name,
    channel: "email",
    subject: filling || null,
    text: `Hello ${filling}`,
    provider_template: filling === "" ? null : { name: "hello", language: "en" },
  }),
  saved_view: (name, filling) => ({ page: "contacts", name, query: filling }),
  channel: (name, filling) => ({
    kind: "webchat",
    name,
    config: filling === "" ? {} : { greeting: filling },
    hours: null,
    timezone: null,
    per_minute: 60,
  }),
  knowledge_source: (name, filling) => ({
    kind: "text",
    name,
    language: "en",
    text: `About ${filling || "nothing"}`,
    url: null,
  }),
  agent: (name, filling) => ({
    name,
    description: filling || null,
    mode: "autopilot",
    limits: { turns_per_session: 50 },
    content: { engine: "playbook", playbook: { start: "a", states: { a: { say: `Hi ${filling}`, go: "@end" } } } },
  }),
};

const ASSETS = [tagAsset, messageTemplateAsset, savedViewAsset, channelAsset, knowledgeSourceAsset, agentAsset].map(
  (asset) => [asset.type, asset] as const,
);

const of = (ids: readonly string[]) => ({ partner_id: partner.partner_id, ids });
const read = (asset: Asset, ids: readonly string[]) => asset.read(world.app.services.db, of(ids));
const look = (asset: Asset, ids: readonly string[]) => asset.look(world.app.services.db, of(ids));
const specsOf = (records: readonly Live[] = []) => records.map(({ archived, spec }) => ({ archived, spec }));
const liveOf = (records: readonly Live[] = []) => records.filter(({ archived }) => !archived);
const one = async (asset: Asset, id: string) => (await read(asset, [id])).get(id) ?? [];

function apply(asset: Asset, changes: Record<string, readonly Change[]>) {
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
  return ctx.tx((tx) => asset.apply(tx, of(Object.keys(changes)), new Map(Object.entries(changes)), ctx.hooks));
}

/** What leads from the records of an account to others: what is there is changed in its order, the rest is removed or made. */
function changesTo(live: readonly Live[], targets: readonly Spec[], unmade: boolean): Change[] {
  return [
    ...targets.map((to, index): Change => {
      const id = live[index]?.id;
      return id === undefined ? { do: "create", key: `k${index}`, to } : { do: "update", key: `k${index}`, id, parts: [], to };
    }),
    ...live.slice(targets.length).map(({ id }, index): Change => ({ do: "remove", key: `r${index}`, id, unmade })),
  ];
}

describe.each(ASSETS)("the asset %s", (type, asset) => {
  const spec = SPECS[type] ?? (() => ({}));

  test("reads after a change what the change asked for, in many accounts at once, and gives equal digests to equal records", async () => {
    const [first = "", twin = "", other = ""] = accounts;
    const name = fc.constantFrom("ada", "Bo", "CY", "Dä", "é'\"\\", "f");
    const target = fc
      .uniqueArray(fc.tuple(name, fc.constantFrom("", "x", 'y, "z"')), { selector: ([name]) => name, maxLength: 6 })
      .map((pairs) => pairs.map(([name, filling]) => spec(name, filling)));
    await apply(asset, { [untouched]: changesTo([], [spec("Mine", "x")], false) });
    const before = await one(asset, untouched);
    await fc.assert(
      fc.asyncProperty(target, target, fc.boolean(), async (wanted, elsewhere, unmade) => {
        const now = await read(asset, accounts);
        const changes = (id: string, targets: readonly Spec[]) => changesTo(liveOf(now.get(id)), targets, unmade);
        const applied = await apply(asset, {
          [first]: changes(first, wanted),
          [twin]: changes(twin, wanted),
          [other]: changes(other, elsewhere),
        });
        const [records, looked] = [await read(asset, accounts), await look(asset, accounts)];
        for (const [id, targets] of [
          [first, wanted],
          [twin, wanted],
          [other, elsewhere],
        ] as const) {
          const after = records.get(id) ?? [];
          expect(liveOf(after).map(({ spec }) => spec)).toEqual(targets);
          expect(applied.get(id)?.map((saved) => saved.id)).toEqual(liveOf(after).map((record) => record.id));
          expect(looked.get(id)?.ids).toEqual(after.map((record) => record.id));
        }
        const digest = (id: string) => looked.get(id)?.digest;
        expect(digest(first)).toBe(digest(twin));
        const same = JSON.stringify(specsOf(records.get(first))) === JSON.stringify(specsOf(records.get(other)));
        expect(digest(first) === digest(other)).toBe(same);
      }),
      { numRuns: sized(12, 100) },
    );
    expect(await one(asset, untouched)).toEqual(before);
  });

  test("swaps the names of two records", async () => {
    const { id } = await world.newClient(partner);
    await apply(asset, { [id]: changesTo([], [spec("One", ""), spec("Two", "x")], false) });
    await apply(asset, { [id]: changesTo(await one(asset, id), [spec("two", ""), spec("ONE", "x")], false) });
    expect((await one(asset, id)).map((record) => record.spec.name)).toEqual(["two", "ONE"]);
  });

  test("completes, merges and compares all members of a spec", () => {
    const whole = spec("Name", "x");
    expect(asset.complete(whole)).toEqual(whole);
    expect(Object.keys(asset.merge)).toEqual(Object.keys(whole));
    expect(asset.natural(spec("NAME", "x"), null)).toBe(asset.natural(whole, null));
  });
});

test("a template that is removed is archived, is deleted where it was never meant to be, and comes back", async () => {
  const { id } = await world.newClient(partner);
  const to = { name: "Hello", channel: "any", subject: null, text: "Hi {{contact.name}}", provider_template: null };
  const made = await apply(messageTemplateAsset, { [id]: [{ do: "create", key: "hello", to }] });
  const record = made.get(id)?.[0] ?? { id: "", parts: [] };
  await apply(messageTemplateAsset, { [id]: [{ do: "remove", key: "hello", id: record.id, unmade: false }] });
  expect(await one(messageTemplateAsset, id)).toEqual([{ id: record.id, archived: true, key: null, spec: to, parts: [] }]);
  const changed = { ...to, text: "Hello" };
  await apply(messageTemplateAsset, { [id]: [{ do: "revive", key: "hello", id: record.id, parts: [], to: changed }] });
  expect(await one(messageTemplateAsset, id)).toEqual([{ id: record.id, archived: false, key: null, spec: changed, parts: [] }]);
  await apply(messageTemplateAsset, { [id]: [{ do: "remove", key: "hello", id: record.id, unmade: true }] });
  expect(await one(messageTemplateAsset, id)).toEqual([]);
});

test("a template refers to the custom fields in its placeholders, and names unknown placeholders", () => {
  const words = { name: "A", channel: "sms", subject: null, text: "{{contact.custom.size}} {{ contact.name }}" };
  expect(messageTemplateAsset.references(words)).toEqual([{ pointer: "/text", type: "custom_field", key: "contact.size" }]);
  expect(messageTemplateAsset.validate(words, null)).toEqual([]);
  const wrong = { ...words, subject: "S", text: "{{contact.shoe}}" };
  expect(messageTemplateAsset.validate(wrong, null).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    "/subject not_of_channel",
    "/text unknown_placeholder",
  ]);
});

describe("a channel", () => {
  const sms = { kind: "sms", name: "Texts", config: {}, hours: null, timezone: null, per_minute: 60 };
  const own = { account_sid: `AC${"0a".repeat(16)}`, from: "+15550100000" };
  const call = (method: string, path: string, body?: object) => world.call(method, `/v1${path}`, { key: partner.key, body });

  test("arrives paused and without secrets, is set to work in its account, and keeps what is the account's own", async () => {
    const { id: account_id } = await world.newClient(partner);
    const chat = { ...sms, kind: "webchat", name: "Chat", config: { greeting: "Hello" } };
    const made = await apply(channelAsset, {
      [account_id]: [
        { do: "create", key: "sms", to: sms },
        { do: "create", key: "chat", to: chat },
      ],
    });
    const [id, chat_id] = made.get(account_id)?.map((one) => one.id) ?? [];
    const { body } = await call("GET", `/channels/${id}`);
    expect(body).toMatchObject({ status: "paused", secrets_set: false, config: {} });
    expect((await call("PATCH", `/channels/${id}`, { status: "active" })).status).toBe(422);
    const complete = { config: own, secrets: { auth_token: "auth-token-of-twilio" }, status: "active" };
    expect((await call("PATCH", `/channels/${id}`, complete)).body).toMatchObject({ status: "active", config: own });
    expect((await call("PATCH", `/channels/${chat_id}`, { config: { origins: ["https://shop.example"] } })).status).toBe(200);
    const working = (await call("PATCH", `/channels/${chat_id}`, { status: "active" })).body;
    expect(working).toMatchObject({ status: "active", secrets_set: true });
    const update = (id = "", to: Spec): Change => ({ do: "update", key: "sms", id, parts: [], to });
    await apply(channelAsset, {
      [account_id]: [update(id, { ...sms, per_minute: 30 }), update(chat_id, { ...chat, config: {} })],
    });
    expect((await call("GET", `/channels/${id}`)).body).toMatchObject({ status: "active", per_minute: 30, config: own });
    expect((await call("GET", `/channels/${chat_id}`)).body.config).toEqual({ origins: ["https://shop.example"] });
    expect((await one(channelAsset, account_id)).map(({ spec }) => spec.config)).toEqual([{}, {}]);
    const gone = (unmade: boolean): Change => ({ do: "remove", key: "sms", id: id ?? "", unmade });
    await apply(channelAsset, { [account_id]: [gone(true)] });
    expect((await world.app.http.inject({ method: "POST", url: body.hook_path })).statusCode).toBe(404);
    await apply(channelAsset, { [account_id]: [{ do: "revive", key: "sms", id: id ?? "", parts: [], to: sms }] });
    const { body: revived } = await call("GET", `/channels/${id}`);
    expect([revived.status, revived.archived_at]).toEqual(["paused", null]);
    expect((await world.app.http.inject({ method: "POST", url: revived.hook_path })).statusCode).toBe(401);
  });

  test("carries what any account can have, and nothing else", () => {
    const faults = (spec: object) => channelAsset.validate({ ...sms, ...spec } as Spec, null).map(({ pointer }) => pointer);
    expect(faults({})).toEqual([]);
    expect(faults({ config: { from: "+15550100000" } })).toEqual(["/config/from"]);
    expect(faults({ hours: { mon: [{ from: "17:00", to: "09:00" }] }, timezone: "Europe/Berlin" })).toEqual(["/hours/mon/0"]);
    expect(channelAsset.portable({ ...sms, kind: "simulator" }).spec).toBeNull();
  });
});

describe("a shared view", () => {
  const view = { page: "contacts", name: "Mine", query: "custom.size=41&owner_id=usr_01jd3k5y5cf7m8n9p0q1r2s3t4&tag=VIP" };

  test("leaves behind what only its account has, and refers to the custom fields of its filters", () => {
    expect(savedViewAsset.portable(view)).toEqual({
      spec: { ...view, query: "custom.size=41&tag=VIP" },
      left_out: ["The filter owner_id of the view Mine names what only this account has."],
    });
    expect(savedViewAsset.references(view)).toEqual([{ pointer: "/query", type: "custom_field", key: "contact.size" }]);
    expect(savedViewAsset.references({ ...view, page: "charges" })).toEqual([]);
  });

  test("that came with a snapshot belongs to nobody; an administrator changes it, and keeps it when it is no longer shared", async () => {
    const { id: account_id } = await world.newClient(partner);
    const [admin, member] = [
      await newPerson(world, partner, { role: "admin" }),
      await newPerson(world, partner, { role: "member" }),
    ];
    const save = (shared: boolean) =>
      member.call("POST", "/views", { body: { page: "contacts", account_id, name: "Mine", query: "", shared } });
    for (const shared of [true, false]) expect((await save(shared)).status).toBe(201);
    expect((await save(true)).body.code).toBe("duplicate_view");
    const [own] = await one(savedViewAsset, account_id);
    const changes: Change[] = [
      { do: "update", key: "own", id: own?.id ?? "", parts: [], to: { ...view, name: "Ours" } },
      { do: "create", key: "new", to: view },
    ];
    await apply(savedViewAsset, { [account_id]: changes });
    const { body } = await member.call("GET", `/views?page=contacts&account_id=${account_id}`);
    expect(body.data.map(({ name, shared, created_by }: Json) => [name, shared, created_by])).toEqual([
      ["Mine", false, member.user_id],
      ["Mine", true, null],
      ["Ours", true, member.user_id],
    ]);
    const brought = body.data[1].id;
    expect((await member.call("DELETE", `/views/${brought}`)).status).toBe(403);
    const taken = await admin.call("PATCH", `/views/${brought}`, { body: { shared: false } });
    expect(taken.body).toMatchObject({ shared: false, created_by: admin.user_id });
    expect((await one(savedViewAsset, account_id)).map(({ spec }) => spec.name)).toEqual(["Ours"]);
  });
});
