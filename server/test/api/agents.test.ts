import { beforeAll, describe, expect, test } from "vitest";
import { QUALIFY_LEADS } from "../../src/features/agents/engine/index.ts";
import { newChannel } from "../harness/conversations.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());
let partner: TestPartner;
let account_id: string;
let made = 0;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  world.call(method, `${GENERAL}${path}`, { key: partner.key, body, headers });
const codeOf = ({ status, body }: Json) => [status, body.code];
const faultsOf = ({ body }: Json) => body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
const content = { engine: "playbook", playbook: QUALIFY_LEADS };
const saying = (say: string) => ({ engine: "playbook", playbook: { start: "a", states: { a: { say, go: "@end" } } } });

async function newAgent(fields: object = {}): Promise<Json> {
  made += 1;
  const { status, body } = await call("POST", "/agents", { account_id, name: `Nora ${made}`, content, ...fields });
  expect(status).toBe(201);
  return body;
}

describe("an agent", () => {
  test("is made with a draft that answers nobody, changed, paused and archived", async () => {
    const agent = await newAgent({ description: "Qualifies" });
    expect(agent).toMatchObject({ account_id, status: "draft", mode: "autopilot", latest_version: 1, published_version: null });
    expect(agent).toMatchObject({ limits: { turns_per_session: 50 }, channel_ids: [], version: 1 });
    expect(codeOf(await call("PATCH", `/agents/${agent.id}`, { status: "active" }))).toEqual([409, "invalid_state_transition"]);
    expect((await call("PATCH", `/agents/${agent.id}`, { mode: "suggest" })).body).toMatchObject({ mode: "suggest", version: 2 });
    expect((await call("POST", `/agents/${agent.id}/publish`, { version: 1 })).body).toMatchObject({ status: "active" });
    expect((await call("PATCH", `/agents/${agent.id}`, { status: "paused" })).body).toMatchObject({ status: "paused" });
    const again = await call("POST", "/agents", { account_id, name: agent.name.toUpperCase() });
    expect([...codeOf(again), again.body.existing_id]).toEqual([409, "duplicate_agent", agent.id]);
    expect((await call("DELETE", `/agents/${agent.id}`)).status).toBe(204);
    expect((await call("DELETE", `/agents/${agent.id}`)).status).toBe(204);
    expect((await call("GET", `/agents/${agent.id}`)).body).toMatchObject({ status: "archived" });
    expect(codeOf(await call("PATCH", `/agents/${agent.id}`, { mode: "off" }))).toEqual([409, "invalid_state_transition"]);
    await newAgent({ name: agent.name });
    const entries = await auditLog(world, partner.key, { target: agent.id });
    expect(entries.map(({ action }: Json) => action)).toEqual([
      "agents.create",
      "agents.update",
      "agents.publish",
      "agents.update",
      "agents.archive",
    ]);
    const changes = (await call("GET", "/changes?resource=agent&limit=100")).body.data.filter(({ id }: Json) => id === agent.id);
    expect(changes.map(({ change, version }: Json) => [change, version])).toEqual([
      ["created", 1],
      ["updated", 2],
      ["updated", 3],
      ["updated", 4],
      ["updated", 5],
    ]);
  });

  test("is one of fifty at most in its account, however many are made at once; archived ones do not count", async () => {
    const { id } = await world.newClient(partner);
    await world.db.sql(
      `insert into agents (partner_id, id, account_id, name, status, mode, limits, latest_version, created_at, updated_at)
       select $1, 'agt_' || n, $2, 'Agent ' || n, case n when 0 then 'archived' else 'draft' end, 'off', '{}', 1, $3, $3
       from generate_series(0, 49) n`,
      [partner.partner_id, id, world.clock.now()],
    );
    const replies = await Promise.all([51, 52, 53].map((n) => call("POST", "/agents", { account_id: id, name: `Agent ${n}` })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: "agent_limit_reached", limit: 50 });
  });

  test("is listed by account and status, archived ones on request", async () => {
    const { id: account } = await world.newClient(partner);
    const draft = await newAgent({ account_id: account });
    const gone = await newAgent({ account_id: account });
    await call("DELETE", `/agents/${gone.id}`);
    const list = async (filter: object) =>
      (await walk(world, partner.key, `${GENERAL}/agents`, { account_id: account, limit: "1", ...filter })).map(
        ({ id }: Json) => id,
      );
    expect(await list({})).toEqual([draft.id]);
    expect(await list({ status: "archived" })).toEqual([gone.id]);
    expect(await list({ status: "active" })).toEqual([]);
  });

  test("answers on channels of its account that no other agent has", async () => {
    const [one, two] = [await newAgent(), await newAgent()];
    const [first, second] = [await newChannel(world, partner, account_id), await newChannel(world, partner, account_id)];
    const strange = await newChannel(world, partner, (await world.newClient(partner)).id);
    const set = (id: string, ...channels: { id: string }[]) =>
      call("PUT", `/agents/${id}/channels`, { channel_ids: channels.map((channel) => channel.id) });
    expect((await set(one.id, first, second)).body.channel_ids).toEqual([first.id, second.id].toSorted());
    expect((await call("GET", `/channels/${first.id}`)).body.agent_id).toBe(one.id);
    expect(codeOf(await set(two.id, first))).toEqual([409, "resource_in_use"]);
    expect(faultsOf(await set(one.id, strange))).toEqual(["#/channel_ids/0 unknown_channel"]);
    expect((await set(one.id, second)).body).toMatchObject({ channel_ids: [second.id], version: 3 });
    expect((await set(one.id, second)).body.version).toBe(3);
    expect((await set(two.id, first)).body.channel_ids).toEqual([first.id]);
    expect((await call("GET", `/channels/${second.id}`)).body.agent_id).toBe(one.id);
    await call("DELETE", `/agents/${two.id}`);
    expect((await call("GET", `/channels/${first.id}`)).body.agent_id).toBeNull();
  });

  test("has a version for each change of its channels, also of two at once", async () => {
    const { id } = await newAgent();
    const channel = await newChannel(world, partner, account_id);
    const set = (...channel_ids: string[]) => call("PUT", `/agents/${id}/channels`, { channel_ids });
    const held = await hold("select from agents where partner_id = $1 and id = $2 for update", [partner.partner_id, id]);
    const added = set(channel.id);
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const removed = set();
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    await held.release();
    expect([(await added).body, (await removed).body]).toMatchObject([
      { channel_ids: [channel.id], version: 2 },
      { channel_ids: [], version: 3 },
    ]);
  });
});

describe("a version", () => {
  test("is a draft that can be replaced until it is published, and never changes after that", async () => {
    const { id } = await newAgent();
    const first = (await call("GET", `/agents/${id}/versions/1`)).body;
    expect(first).toMatchObject({ agent_id: id, number: 1, content, published_at: null });
    const replaced = (await call("PUT", `/agents/${id}/versions/1`, { content: saying("Hi"), note: "Shorter" })).body;
    expect(replaced).toMatchObject({ number: 1, note: "Shorter", content: saying("Hi") });
    expect(replaced.sha256).not.toBe(first.sha256);
    expect((await call("POST", `/agents/${id}/publish`, { version: 1, note: "Go" })).body).toMatchObject({
      published_version: 1,
    });
    expect(codeOf(await call("PUT", `/agents/${id}/versions/1`, { content }))).toEqual([409, "invalid_state_transition"]);
    const kept = (await call("GET", `/agents/${id}/versions/1`)).body;
    expect(kept).toMatchObject({ sha256: replaced.sha256, note: "Go", published_at: expect.any(String) });
    const second = await call("POST", `/agents/${id}/versions`, { content });
    expect([second.status, second.headers.location]).toEqual([201, `/v1/agents/${id}/versions/2`]);
    expect(second.body.sha256).toBe(first.sha256);
    expect((await call("GET", `/agents/${id}`)).body).toMatchObject({ latest_version: 2, published_version: 1 });
    const numbers = (await walk(world, partner.key, `${GENERAL}/agents/${id}/versions`, { limit: "1" })).map(
      ({ number }: Json) => number,
    );
    expect(numbers).toEqual([2, 1]);
  });

  test("is published, and an earlier one again", async () => {
    const { id } = await newAgent();
    for (const say of ["Two", "Three"]) await call("POST", `/agents/${id}/versions`, { content: saying(say) });
    const published = async (path: string, version: number) => (await call("POST", `/agents/${id}/${path}`, { version })).body;
    expect((await published("publish", 1)).published_version).toBe(1);
    const compared = async () => {
      const { from, to } = (await call("GET", `/agents/${id}/diff`)).body;
      return [from, to];
    };
    expect(await compared()).toEqual([1, 3]);
    expect((await published("publish", 3)).published_version).toBe(3);
    expect(await compared()).toEqual([2, 3]);
    expect((await published("rollback", 1)).published_version).toBe(1);
    expect((await published("rollback", 2)).code).toBe("invalid_state_transition");
    expect(faultsOf(await call("POST", `/agents/${id}/publish`, { version: 9 }))).toEqual(["#/version unknown_version"]);
  });

  test("is compared with another, member by member", async () => {
    const { id } = await newAgent({ content: saying("Hi") });
    await call("POST", `/agents/${id}/versions`, { content: { ...saying("Hello"), tools: { create_deal: "off" } } });
    const changes = [
      { path: "/tools", from: null, to: { create_deal: "off" } },
      { path: "/playbook/states/a/say", from: "Hi", to: "Hello" },
    ];
    const { body } = await call("GET", `/agents/${id}/diff`);
    expect(body).toMatchObject({ agent_id: id, from: 1, to: 2 });
    expect(body.changes).toEqual(expect.arrayContaining(changes));
    expect(body.changes).toHaveLength(2);
    expect((await call("GET", `/agents/${id}/diff?from=2&to=2`)).body.changes).toEqual([]);
    expect((await call("GET", `/agents/${id}/diff?from=7`)).status).toBe(404);
  });

  test("is refused with a pointer to everything that is wrong with its playbook", async () => {
    const { id } = await newAgent();
    const playbook = {
      start: "a",
      states: { a: { do: [{ tool: "fly" }], go: "b" }, c: { say: "{{slot.x}}", go: "@end" } },
    };
    const refused = await call("POST", `/agents/${id}/versions`, { content: { engine: "playbook", playbook } });
    expect(codeOf(refused)).toEqual([422, "invalid_playbook"]);
    expect(faultsOf(refused)).toEqual([
      "#/content/playbook/states/a/do/0/tool unknown_tool",
      "#/content/playbook/states/a/go unknown_state",
      "#/content/playbook/states/c/say unknown_placeholder",
    ]);
    const loop = { start: "a", states: { a: { go: "b" }, b: { go: "a" }, c: { go: "@end" } } };
    expect(faultsOf(await call("PUT", `/agents/${id}/versions/1`, { content: { engine: "playbook", playbook: loop } }))).toEqual([
      "#/content/playbook/states/a endless_loop",
      "#/content/playbook/states/b endless_loop",
      "#/content/playbook/states/c unreachable_state",
    ]);
    const other = { ...saying("Hi"), tools: { fly: "off" } };
    expect(faultsOf(await call("POST", `/agents/${id}/versions`, { content: other }))).toEqual([
      "#/content/tools/fly unknown_tool",
    ]);
    const inside = { ...saying("Hi"), targets: { inside: { url: "https://localhost/" } } };
    expect(faultsOf(await call("POST", `/agents/${id}/versions`, { content: inside }))).toEqual([
      "#/content/targets/inside/url url_not_allowed",
    ]);
    expect((await call("GET", `/agents/${id}`)).body.latest_version).toBe(1);
  });
});
