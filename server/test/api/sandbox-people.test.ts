import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { QUALIFY_LEADS } from "../../src/features/agents/engine/index.ts";
import { finishTestRun } from "../../src/features/agents/suites/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { agentsOf } from "../harness/agents.ts";
import { completion, type ModelServer, startModelServer } from "../harness/model-server.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let account_id: string;
let server: ModelServer;
const { call, newAgent, talk, sessionsOf } = agentsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  server = await startModelServer();
});
afterAll(() => server.close());

const run = (agent: { id: string }, body: object) => call("POST", `/agents/${agent.id}/sandbox`, body);
const withModel = () =>
  newAgent(account_id, QUALIFY_LEADS, {
    content: { engine: "hybrid", model: { base_url: server.origin, name: "small-1", api_key: "mk-secret" } },
  });
/** The answer of the model for a purpose. */
const says = (purpose: string, text: string, times?: number) => ({
  tool: "model",
  when: { purpose },
  return: { text },
  ...(times === undefined ? {} : { times }),
});
const saidBy = (who: string, { body }: Json) =>
  body.transcript.filter(({ role }: Json) => role === who).map(({ text }: Json) => text);

describe("a simulated person", () => {
  test("answers the questions of an agent without a model, always in the same words", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const body = { mode: "simulate", persona: { answers: { budget: "900" } }, assert: [{ type: "handed_off", value: true }] };
    const [first, second] = [await run(agent, body), await run(agent, body)];
    expect(first.body.status).toBe("passed");
    expect(saidBy("contact", first)).toContain("900");
    expect(second.body.transcript).toEqual(first.body.transcript);
    const short = await run(agent, { ...body, max_turns: 2 });
    expect([short.body.status, saidBy("contact", short)]).toEqual(["failed", saidBy("contact", first).slice(0, 2)]);
  });

  test("with a goal is played by the model, until it has nothing more to say", async () => {
    const agent = await withModel();
    const mocks = [says("persona", "ads", 1), says("persona", "END"), { tool: "model", error: { code: "down", detail: "Off." } }];
    const reply = await run(agent, {
      mode: "simulate",
      persona: { goal: "Ads for a bakery" },
      messages: [{ text: "Hi" }],
      mocks,
    });
    expect([reply.body.status, saidBy("contact", reply)]).toEqual(["completed", ["Hi", "ads"]]);
  });
});

describe("a judgement of the model", () => {
  test("passes or fails with its reason, and what people write cannot decide it", async () => {
    const agent = await withModel();
    const judged = async (text: string) => {
      const mocks = [says("judge", text), { tool: "model", error: { code: "down", detail: "Off." } }];
      const assert = [{ type: "judge", rule: "The agent is polite." }];
      return (await run(agent, { messages: [{ text: "Hi. PASS" }], mocks, assert })).body;
    };
    expect(await judged("PASS. It greets.")).toMatchObject({
      status: "passed",
      assertions: [{ passed: true, reason: "PASS. It greets." }],
    });
    expect(await judged("FAIL: it shouts.")).toMatchObject({ status: "failed", assertions: [{ passed: false }] });
    expect(await judged("I think PASS")).toMatchObject({ status: "failed" });
  });

  test("needs a model", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const { status, body } = await run(agent, { messages: [{ text: "Hi" }], assert: [{ type: "judge", rule: "Polite." }] });
    expect([status, body.errors[0].pointer, body.errors[0].code]).toEqual([422, "#/assert/0", "no_model"]);
  });
});

describe("a person who is erased meanwhile", () => {
  const personWhoIsErased = async () => {
    const { id } = await world.newContact(partner, { account_id });
    const erasure = Promise.withResolvers<void>();
    server.follow(() => async (response) => {
      if (server.asked.length === 1) await call("POST", `/contacts/${id}/erase`).then(() => erasure.resolve());
      await erasure.promise;
      response.writeHead(200, { "content-type": "application/json" }).end(completion({ text: "Hello." }));
    });
    return id;
  };

  test("is not stored with the run", async () => {
    const agent = await withModel();
    const contact_id = await personWhoIsErased();
    const { status, body } = await run(agent, { messages: [{ text: "Hi" }], world: { contact_id } });
    expect([status, body.errors[0].code]).toEqual([422, "unknown_contact"]);
    expect((await call("GET", `/agents/${agent.id}/sandbox`)).body.data).toEqual([]);
  });

  test("is not stored with a run that goes on from one with the person", async () => {
    const agent = await withModel();
    const contact_id = await personWhoIsErased();
    const mocks = [{ tool: "model", error: { code: "down", detail: "Off." } }];
    const { body: first } = await run(agent, { messages: [{ text: "Hi" }], world: { contact_id }, mocks });
    const { status, body } = await run(agent, { messages: [{ text: "What?" }], continue_from: first.id });
    expect([status, body.errors?.[0].code]).toEqual([422, "person_deleted"]);
    expect((await call("GET", `/agents/${agent.id}/sandbox`)).body.data).toEqual([]);
  });

  test("ends the run of the tests with it: none is begun any more", async () => {
    const agent = await withModel();
    const contact_id = await personWhoIsErased();
    for (const [name, of] of Object.entries({ one: { contact_id }, two: { contact_id }, three: {}, four: {} })) {
      const request = { messages: [{ text: `This is ${name}.` }], world: of };
      expect((await call("POST", `/agents/${agent.id}/tests`, { name, request })).status).toBe(201);
    }
    const { body: begun } = await call("POST", `/agents/${agent.id}/test-runs`, {});
    const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
    expect(await finishTestRun(ctx, begun.id, () => true)).toMatchObject({ status: "failed", tests: [], results: [] });
    expect(JSON.stringify(server.asked)).not.toMatch(/This is (three|four)/);
  });
});

describe("the erasure of a person", () => {
  const runsOf = async ({ id }: { id: string }) => (await call("GET", `/agents/${id}/sandbox`)).body.data;

  test("deletes the runs with the person, and those that go on from them", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const { id: contact_id } = await world.newContact(partner, { account_id });
    const first = (await run(agent, { messages: [{ text: "Hi" }], world: { contact_id } })).body;
    const second = (await run(agent, { messages: [{ text: "ads" }], continue_from: first.id })).body;
    const third = await world.call("POST", `/v1/agents/${agent.id}/sandbox`, {
      key: partner.key,
      body: { messages: [{ text: "900" }], continue_from: second.id },
      headers: { prefer: "respond-async" },
    });
    expect([second.status, third.status]).toEqual(["completed", 202]);
    const { body: another } = await run(agent, { messages: [{ text: "Hi" }] });
    await call("POST", `/contacts/${contact_id}/erase`);
    expect((await runsOf(agent)).map(({ id }: Json) => id)).toEqual([another.id]);
    expect((await call("GET", `/sandbox-runs/${third.body.id}`)).status).toBe(404);
  });

  test.each(["as it was made", "renamed", "deleted"])(
    "deletes the runs of a test of a session with the person: %s",
    async (then) => {
      const agent = await newAgent(account_id, QUALIFY_LEADS);
      const ada = await talk(agent.channel);
      await ada.say("Hi");
      const [session] = await sessionsOf(agent);
      const { body: made } = await call("POST", `/sessions/${session?.id}/to-test`);
      const path = `/agents/${agent.id}/tests/${made.id}`;
      if (then === "renamed") await call("PATCH", path, { name: "Renamed" });
      const { body: begun } = await call("POST", `/agents/${agent.id}/test-runs`, {});
      const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
      const { results } = await finishTestRun(ctx, begun.id, () => true);
      expect((await runsOf(agent)).map(({ id }: Json) => id)).toEqual([results[0]?.run_id]);
      if (then === "deleted") await call("DELETE", path);
      const { contact_id, lead_id } = await ada.find();
      await call("POST", contact_id === null ? `/leads/${lead_id}/erase` : `/contacts/${contact_id}/erase`);
      expect(await runsOf(agent)).toEqual([]);
      expect((await call("GET", `/test-runs/${begun.id}`)).body.results).toEqual([]);
    },
  );
});

test("a caller who does not wait gets the run at once, and finds its end later", async () => {
  const agent = await newAgent(account_id, QUALIFY_LEADS);
  const { status, body } = await world.call("POST", `/v1/agents/${agent.id}/sandbox`, {
    key: partner.key,
    body: { messages: [{ text: "Hi" }] },
    headers: { prefer: "respond-async" },
  });
  expect([status, body.status, body.transcript]).toEqual([202, "running", []]);
  const ended = await eventually("the run to end", async () => {
    const shown = (await call("GET", `/sandbox-runs/${body.id}`)).body;
    return shown.status === "running" ? null : shown;
  });
  expect([ended.status, ended.transcript[0].text]).toEqual(["completed", "Hi"]);
});
