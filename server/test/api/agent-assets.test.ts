import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchDuePages } from "../../src/features/agents/knowledge/index.ts";
import { type Receiver, startReceiver, status } from "../harness/receiver.ts";
import { snapshotsOf } from "../harness/snapshots.ts";
import { BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let server: Receiver;
const { call, create, deploy, install, publish, push } = snapshotsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  server = await startReceiver();
});
afterAll(() => server.close());

const get = async (path: string): Promise<Json> => (await call("GET", `${GENERAL}${path}`)).body;
const newAccount = async () => (await world.newClient(partner)).id as string;
const playbook = (say: string) => ({ start: "a", states: { a: { say, faq: { min_score: 0.2 }, go: "@handoff" } } });
const text = { type: "knowledge_source", key: "hours", spec: { kind: "text", name: "Hours", text: "We open at 9." } };
const nora = (say: string, content: object = {}) => ({
  type: "agent",
  key: "nora",
  spec: { name: "Nora", content: { engine: "playbook", playbook: playbook(say), knowledge: ["hours"], ...content } },
});

test("an account's agents and knowledge are captured, by their published versions, and work in another account", async () => {
  const [from, to] = [await newAccount(), await newAccount()];
  server.answer("/prices", status(200, { "content-type": "text/plain" }, "A cleaning costs 80 EUR."));
  await create("/knowledge-sources", { account_id: from, kind: "text", name: "Hours", text: "We open at 9." });
  await create("/knowledge-sources", { account_id: from, kind: "url", name: "Prices", url: `${server.origin}/prices` });
  const targets = { desk: { url: `${server.origin}/desk` } };
  const content = { engine: "playbook", playbook: playbook("Hi."), knowledge: ["hours"], targets };
  const agent = await create("/agents", { account_id: from, name: "Nora", content });
  await call("POST", `${GENERAL}/agents/${agent.id}/publish`, { version: 1 });
  await create("/agents", { account_id: from, name: "Draft" });
  const captured = await call("POST", `${BASE}/snapshots`, { name: "Practice", source_client_id: from });
  expect([captured.status, captured.body.left_out]).toEqual([201, ["No version of the agent Draft was published."]]);
  const { body: version } = await call("GET", `${BASE}/snapshots/${captured.body.id}/versions/1`);
  const assets = version.manifest.assets.filter(({ type }: Json) => /agent|knowledge/.test(type));
  expect(assets.map(({ type, key }: Json) => `${type} ${key}`)).toEqual([
    "knowledge_source hours",
    "knowledge_source prices",
    "agent nora",
  ]);
  expect(assets[2].spec.content).toEqual({ engine: "playbook", playbook: playbook("Hi."), knowledge: ["hours"] });

  await install(to, captured.body.id);
  const [arrived] = (await get(`/agents?account_id=${to}`)).data;
  expect(arrived).toMatchObject({ name: "Nora", status: "paused", published_version: 1, channel_ids: [] });
  const found = async (q: string) => (await get(`/knowledge-sources/search?account_id=${to}&q=${q}`)).data;
  expect(await found("open")).toMatchObject([{ title: "Hours", quote: "We open at 9." }]);
  expect((await get(`/knowledge-sources?account_id=${to}&status=fetching`)).data).toMatchObject([{ key: "prices", chunks: 0 }]);
  await fetchDuePages(world.app.services);
  expect(await found("cleaning")).toMatchObject([{ title: "Prices" }]);
  const run = await call("POST", `${GENERAL}/agents/${arrived.id}/sandbox`, { messages: [{ text: "Hi" }, { text: "open?" }] });
  expect(run.body.transcript.at(-1).text).toBe("We open at 9. [1]");
});

test("a new version publishes another version of the agent, keeps whom the account calls and its model, and removes what is gone", async () => {
  const account = await newAccount();
  const snapshot = await publish(text, nora("Hi."));
  await install(account, snapshot);
  const [agent] = (await get(`/agents?account_id=${account}`)).data;
  const targets = { desk: { url: `${server.origin}/desk` } };
  const { content } = await get(`/agents/${agent.id}/versions/1`);
  const model = { base_url: `${server.origin}/`, name: "small-1" };
  const own = { targets, model: { ...model, api_key: "mk-secret" } };
  await create(`/agents/${agent.id}/versions`, { content: { ...content, ...own } });
  await call("POST", `${GENERAL}/agents/${agent.id}/publish`, { version: 2 });
  const { version } = await get(`/agents/${agent.id}`);
  await push(snapshot, { ...text, spec: { ...text.spec, text: "We open at 8.", language: "simple" } }, nora("Good day."));
  await install(account, snapshot);
  const numbers = { latest_version: 3, published_version: 3, version: version + 1 };
  expect(await get(`/agents/${agent.id}`)).toMatchObject({ ...numbers, status: "paused" });
  expect(await get(`/agents/${agent.id}/versions/3`)).toMatchObject({
    content: { targets, model, playbook: playbook("Good day.") },
    api_key_set: true,
  });
  expect((await get(`/knowledge-sources/search?account_id=${account}&q=open+8`)).data).toMatchObject([
    { quote: "We open at 8." },
  ]);

  await push(snapshot);
  await install(account, snapshot);
  expect((await get(`/agents?account_id=${account}`)).data).toEqual([]);
  expect((await get(`/agents/${agent.id}`)).status).toBe("archived");
  expect((await get(`/knowledge-sources?account_id=${account}`)).data).toEqual([]);
  const { body } = await call("GET", `${BASE}/deployments?client_id=${account}`);
  expect((await call("POST", `${BASE}/deployments/${body.data[0].id}/rollback`)).status).toBe(200);
  expect((await get(`/agents/${agent.id}`)).status).toBe("paused");
  expect((await get(`/knowledge-sources?account_id=${account}`)).data).toMatchObject([{ key: "hours", chunks: 1 }]);
});

test("a manifest with a source that is not there, a broken playbook or an unknown tool is refused, and no agent has targets", async () => {
  const refused = async (...assets: object[]) => {
    const body = { name: "Refused", manifest: { format: 1, assets } };
    const reply = await call("POST", `${BASE}/snapshots`, body);
    return [reply.status, ...reply.body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`)];
  };
  expect(await refused(nora("Hi."))).toEqual([422, "#/manifest/assets/0/spec/content/knowledge/0 dangling_reference"]);
  const field = nora("Hi {{contact.custom.size}}.", { knowledge: [] });
  expect(await refused(field)).toEqual([422, "#/manifest/assets/0/spec/content/playbook dangling_reference"]);
  const broken = { start: "b", states: { a: { go: "@end" } } };
  expect((await refused(nora("", { playbook: broken, knowledge: [] })))[1]).toContain("/spec/content/playbook/start");
  expect(await refused(text, nora("Hi.", { tools: { fly: "off" } }))).toEqual([
    422,
    "#/manifest/assets/1/spec/content/tools/fly unknown_tool",
  ]);
  expect((await refused(text, nora("Hi.", { targets: {} })))[0]).toBe(422);
  const account = await newAccount();
  const { id } = await create("/agents", { account_id: account, name: "nora" });
  expect((await deploy(account, await publish(text, nora("Hi.")))).status).toBe(201);
  expect(await get(`/agents/${id}`)).toMatchObject({ status: "draft", published_version: null });
});
