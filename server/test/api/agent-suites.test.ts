import { XMLParser, XMLValidator } from "fast-xml-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { QUALIFY_LEADS } from "../../src/features/agents/engine/index.ts";
import { finishTestRun } from "../../src/features/agents/suites/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { agentsOf } from "../harness/agents.ts";
import { ADVISORY_LOCKS, ROW_LOCKS, TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());
let partner: TestPartner;
let account_id: string;
const { call, newAgent, talk, sessionsOf } = agentsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});

const messages = (...texts: string[]) => texts.map((text) => ({ text }));
const QUALIFIES = {
  name: "Qualifies a rich lead",
  request: {
    messages: messages("Hi", "ads", "900", "ada@harbour.example"),
    assert: [
      { type: "handed_off", value: true },
      { type: "tool_called", tool: "add_tag", args: { tag: "hot" } },
    ],
  },
};
const THANKS = {
  name: "Thanks a poor one",
  request: {
    mode: "simulate",
    persona: { answers: { budget: "10" } },
    assert: [{ type: "text_matches", phrase: "thank you" }],
  },
};

/** An agent with two tests that it passes; its second version fails one of them. */
async function tested() {
  const agent = await newAgent(account_id, QUALIFY_LEADS);
  for (const one of [QUALIFIES, THANKS]) expect((await call("POST", `/agents/${agent.id}/tests`, one)).status).toBe(201);
  const playbook = structuredClone(QUALIFY_LEADS) as Json;
  playbook.states.later.say = "Bye.";
  await call("POST", `/agents/${agent.id}/versions`, { content: { engine: "playbook", playbook } });
  return agent;
}

async function runAll(agent: { id: string }, body: object): Promise<Json> {
  const { status, body: run } = await call("POST", `/agents/${agent.id}/test-runs`, body);
  expect([status, run.status, run.results]).toEqual([202, "queued", []]);
  return finished(run.id);
}

async function finished(run_id: string): Promise<Json> {
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
  await finishTestRun(ctx, run_id, () => true);
  return (await call("GET", `/test-runs/${run_id}`)).body;
}

describe("tests of an agent", () => {
  test("are added, changed, listed and deleted; names are unique, and tools have to exist", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const path = `/agents/${agent.id}/tests`;
    const { body: made } = await call("POST", path, QUALIFIES);
    expect(made).toMatchObject({ ...QUALIFIES, agent_id: agent.id, account_id, session_id: null, version: 1 });
    expect((await call("POST", path, { ...THANKS, name: QUALIFIES.name.toUpperCase() })).body).toMatchObject({
      code: "duplicate_test",
      existing_id: made.id,
    });
    const wrong = { name: "Wrong", request: { mocks: [{ tool: "fly" }] } };
    expect((await call("POST", path, wrong)).body.errors.map(({ pointer, code }: Json) => [pointer, code])).toEqual([
      ["#/request/mocks/0/tool", "unknown_tool"],
      ["#/request/messages", "no_messages"],
    ]);
    const { body: changed } = await call("PATCH", `${path}/${made.id}`, { name: "Renamed" });
    expect(changed).toMatchObject({ name: "Renamed", request: QUALIFIES.request, version: 2 });
    expect((await call("GET", `${path}/${made.id}`)).body).toEqual(changed);
    expect((await call("GET", path)).body.data).toEqual([changed]);
    expect((await call("DELETE", `${path}/${made.id}`)).status).toBe(204);
    expect((await call("GET", `${path}/${made.id}`)).status).toBe(404);
    expect((await call("POST", `/agents/${agent.id}/test-runs`, {})).body.code).toBe("no_tests");
  });

  test("run in the sandbox, with a result for each; a comparison says what differs between two versions", async () => {
    const agent = await tested();
    const green = await runAll(agent, {});
    expect(green).toMatchObject({ status: "passed", agent_version: 1, total: 2, passed: 2, failed: 0, compare_to: null });
    const red = await runAll(agent, { version: "draft", compare_to: "published" });
    expect(red).toMatchObject({ status: "failed", agent_version: 2, total: 2, passed: 1, failed: 1, compare_to: 1 });
    const by = (name: string) => red.results.find((one: Json) => one.name === name);
    expect(by(QUALIFIES.name)).toMatchObject({ passed: true, status: "passed", compared: { status: "passed", differences: [] } });
    const poor = by(THANKS.name);
    expect(poor).toMatchObject({ passed: false, status: "failed", failures: THANKS.request.assert, error: null });
    expect(poor.compared.differences.map(({ path }: Json) => path)).toEqual(["/status", "/said", "/effects"]);
    expect((await call("GET", `/sandbox-runs/${poor.run_id}`)).body).toMatchObject({ agent_version: 2, status: "failed" });
    expect((await call("GET", `/agents/${agent.id}/test-runs?status=failed`)).body.data).toMatchObject([{ id: red.id }]);
  });

  test("are exported as JUnit XML", async () => {
    const agent = await tested();
    const red = await runAll(agent, { version: 2 });
    const { status, text, headers } = await world.call("GET", `/v1/test-runs/${red.id}/junit`, {
      key: partner.key,
      headers: { accept: "application/xml" },
    });
    expect([status, headers["content-type"]]).toEqual([200, "application/xml"]);
    expect(XMLValidator.validate(text)).toBe(true);
    const parsed = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(text);
    const { testsuite } = parsed.testsuites;
    expect(testsuite).toMatchObject({ name: `${agent.name} version 2`, tests: "2", failures: "1", errors: "0", skipped: "0" });
    const [first, second] = testsuite.testcase;
    expect([first.name, "failure" in first, second.name]).toEqual([QUALIFIES.name, false, THANKS.name]);
    expect(second.failure).toMatchObject({ type: "failed", message: JSON.stringify(THANKS.request.assert[0]) });
  });

  test("guard a publication: a red test refuses it, and nothing is published", async () => {
    const agent = await tested();
    const publish = (body: object) => call("POST", `/agents/${agent.id}/publish`, body);
    const refused = await publish({ version: 2, require_suite: true });
    expect([refused.status, refused.body.code]).toEqual([409, "suite_failed"]);
    expect(refused.body.failed).toMatchObject([{ name: THANKS.name, failures: THANKS.request.assert, error: null }]);
    expect((await call("GET", `/test-runs/${refused.body.test_run_id}`)).body.status).toBe("failed");
    expect((await call("GET", `/agents/${agent.id}`)).body.published_version).toBe(1);
    const { body: list } = await call("GET", `/agents/${agent.id}/tests`);
    await call("DELETE", `/agents/${agent.id}/tests/${list.data[1].id}`);
    expect((await publish({ version: 2, require_suite: true })).body).toMatchObject({ published_version: 2 });
    const runs = async () => (await call("GET", `/agents/${agent.id}/test-runs`)).body.data.length;
    const before = await runs();
    // What has passed just now is not run again.
    expect((await publish({ version: 2, require_suite: true })).status).toBe(200);
    expect(await runs()).toBe(before);
  });

  test("do not come between a publication and its repeated request", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const { body: one } = await call("POST", `/agents/${agent.id}/tests`, QUALIFIES);
    const body = { version: 1, require_suite: true };
    const publish = () => call("POST", `/agents/${agent.id}/publish`, body, partner.key, { "idempotency-key": "publish" });
    const first = await publish();
    await call("DELETE", `/agents/${agent.id}/tests/${one.id}`);
    const again = await publish();
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });

  test("are asked for at once no more often than may wait", async () => {
    const other = await world.newPartner();
    const agents = agentsOf(world, () => other);
    const agent = await agents.newAgent((await world.newClient(other)).id, QUALIFY_LEADS);
    await agents.call("POST", `/agents/${agent.id}/tests`, QUALIFIES);
    const ask = async () => (await agents.call("POST", `/agents/${agent.id}/test-runs`, {})).status;
    for (let asked = 1; asked < 20; asked += 1) expect(await ask()).toBe(202);
    const held = await hold("lock table agent_test_runs in share mode");
    const last = [ask(), ask()];
    await untilWaiting(world.db.sql, [...TABLE_LOCKS, ...ADVISORY_LOCKS], 2);
    await held.release();
    expect((await Promise.all(last)).toSorted()).toEqual([202, 429]);
    await world.db.sql("delete from agent_test_runs where partner_id = $1", [other.partner_id]);
  });

  test("go on where a process that was killed has stopped: no test that has a result runs again", async () => {
    const agent = await tested();
    const { body: run } = await call("POST", `/agents/${agent.id}/test-runs`, {});
    const first = (await call("GET", `/agents/${agent.id}/tests`)).body.data[0];
    const kept = {
      test_id: first.id,
      name: first.name,
      passed: true,
      status: "passed",
      error: null,
      run_id: null,
      duration_ms: 1,
    };
    const result = { ...kept, failures: [], said: ["kept"], tools: [], effects: [], slots: {}, compared: null };
    await world.db.sql(
      `update agent_test_runs set status = 'running', claimed_by = 'gone', claimed_until = $2, results = $3, passed = 1 where id = $1`,
      [run.id, new Date(world.clock.now().getTime() + 60_000), JSON.stringify([result])],
    );
    const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
    let looks = 0;
    expect(await finishTestRun(ctx, run.id, () => ++looks < 3)).toMatchObject({ status: "running" });
    world.clock.advance(61_000);
    await finishTestRun(ctx, run.id, () => true);
    const { body: ended } = await call("GET", `/test-runs/${run.id}`);
    expect(ended).toMatchObject({ status: "passed", passed: 2, failed: 0 });
    expect(ended.results.map(({ said }: Json) => said[0])).toEqual(["kept", `Hi, I am ${agent.name}.`]);
  });

  test("have not passed on a draft that was replaced meanwhile", async () => {
    const agent = await tested();
    const { body: run } = await call("POST", `/agents/${agent.id}/test-runs`, { version: 2 });
    await call("PUT", `/agents/${agent.id}/versions/2`, { content: { engine: "playbook", playbook: QUALIFY_LEADS } });
    const error = "Version 2 was changed while its tests ran.";
    expect(await finished(run.id)).toMatchObject({ status: "failed", passed: 2, failed: 0, error });
  });

  test("are a hundred at most, and twenty runs of them wait at once", async () => {
    const agent = await tested();
    const { body: run } = await call("POST", `/agents/${agent.id}/test-runs`, {});
    await world.db.sql(
      `insert into agent_tests (partner_id, id, account_id, agent_id, name, request, created_by, created_at, updated_at)
       select partner_id, $2 || n, account_id, id, 'Test ' || n, '{}', 'x', $3, $3 from agents, generate_series(1, 97) n where id = $1`,
      [agent.id, `${agent.id} `, world.clock.now()],
    );
    const add = (name: string) => call("POST", `/agents/${agent.id}/tests`, { ...THANKS, name });
    const added = await Promise.all([add("One"), add("Two"), add("Three")]);
    expect(added.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const full = added.find(({ status }) => status === 409);
    expect(full?.body).toMatchObject({ code: "test_limit_reached", limit: 100 });
    await world.db.sql(
      `insert into agent_test_runs (partner_id, id, account_id, agent_id, agent_version, sha256, tests, total, created_by, created_at)
       select partner_id, id || n, account_id, agent_id, agent_version, sha256, tests, total, created_by, created_at
       from agent_test_runs, generate_series(1, 18) n where id = $1`,
      [run.id],
    );
    const more = async () => call("POST", `/agents/${agent.id}/test-runs`, {});
    expect((await more()).status).toBe(202);
    const refused = await more();
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, "rate_limit_exceeded", "10"]);
    await world.db.sql("delete from agent_test_runs where agent_id = $1", [agent.id]);
  });

  test("a test that cannot begin is an error of that test alone", async () => {
    const agent = await tested();
    const contact = await world.newContact(partner, { account_id });
    const test = { name: "Gone", request: { messages: messages("Hi"), world: { contact_id: contact.id } } };
    await call("POST", `/agents/${agent.id}/tests`, test);
    await call("DELETE", `/contacts/${contact.id}`);
    const run = await runAll(agent, { version: 1 });
    expect(run).toMatchObject({ status: "failed", passed: 2, failed: 1 });
    const gone = run.results.find(({ name }: Json) => name === "Gone");
    const nothing = { said: [], tools: [], effects: [], failures: [], slots: {} };
    expect(gone).toMatchObject({ ...nothing, status: "error", run_id: null, error: "The contact was not found in the account." });
  });
});

describe("a session", () => {
  test("becomes a test that passes on the version that it was held with, without any record of the account", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    for (const text of ["Hi", "ads", "lots", "900", "ada-to-test@harbour.example"]) await ada.say(text);
    const [session] = await sessionsOf(agent);
    const { status, body: made } = await call("POST", `/sessions/${session?.id}/to-test`);
    expect([status, made.name, made.session_id]).toEqual([201, `From ${session?.id}`, session?.id]);
    expect(made.request.messages).toEqual(messages("Hi", "ads", "lots", "900", "ada-to-test@harbour.example"));
    expect(made.request.world.contact_id).toBeUndefined();
    expect(made.request.assert).toEqual(
      expect.arrayContaining([
        { type: "handed_off", value: true },
        { type: "slot", slot: "budget", value: 900 },
        { type: "tool_called", tool: "add_tag", args: { tag: "hot" } },
      ]),
    );
    expect(await runAll(agent, {})).toMatchObject({ status: "passed", passed: 1 });
    expect((await call("POST", `/sessions/${session?.id}/to-test`)).body.code).toBe("duplicate_test");
    const { contact_id, lead_id } = await ada.find();
    const kind = contact_id === null ? "leads" : "contacts";
    const erased = await call("POST", `/${kind}/${contact_id ?? lead_id}/erase`);
    expect(erased.status, JSON.stringify(erased.body)).toBeLessThan(300);
    expect((await call("GET", `/agents/${agent.id}/tests`)).body.data).toEqual([]);
  });

  test("does not become a test, nor does its test stay in a run, after the erasure of the person", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const [ada, eve] = [await talk(agent.channel), await talk(agent.channel)];
    for (const one of [ada, eve]) await one.say("Hi");
    const [ofEve, ofAda] = await sessionsOf(agent);
    const testOf = (session: Json | undefined) => call("POST", `/sessions/${session?.id}/to-test`);
    const erase = async (one: typeof ada) => call("POST", `/contacts/${(await one.find()).contact_id}/erase`);
    const testsLeft = async () => (await call("GET", `/agents/${agent.id}/tests`)).body.data;
    expect((await testOf(ofEve)).status).toBe(201);
    const { body: begun } = await call("POST", `/agents/${agent.id}/test-runs`, {});
    await erase(eve);
    const [kept] = await world.db.sql("select tests, results from agent_test_runs where id = $1", [begun.id]);
    expect(kept).toEqual({ tests: [], results: [] });
    expect((await call("GET", `/test-runs/${begun.id}`)).body).toMatchObject({ status: "failed", error: expect.any(String) });
    const held = await hold("select pg_advisory_xact_lock(hashtextextended($1, 4))", [`tests of ${agent.id}`]);
    const made = testOf(ofAda);
    await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
    const erased = erase(ada);
    await Promise.race([erased, untilWaiting(world.db.sql, ROW_LOCKS, 1)]);
    await held.release();
    await Promise.all([made, erased]);
    expect(await testsLeft()).toEqual([]);
    expect((await testOf(ofAda)).body.code).toBe("session_empty");
  });

  test("is not in a run of its test that is asked for during the erasure of the person", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    await ada.say("Hi");
    const [session] = await sessionsOf(agent);
    const { contact_id } = await ada.find();
    expect((await call("POST", `/sessions/${session?.id}/to-test`)).status).toBe(201);
    const held = await hold("select from agents where partner_id = $1 and id = $2 for update", [partner.partner_id, agent.id]);
    const asked = call("POST", `/agents/${agent.id}/test-runs`, {});
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const erased = call("POST", `/contacts/${contact_id}/erase`);
    await Promise.race([erased, untilWaiting(world.db.sql, ROW_LOCKS, 2)]);
    await held.release();
    const { status, body: run } = await asked;
    expect([status, (await erased).status]).toEqual([202, 204]);
    expect(await world.db.sql("select status, tests from agent_test_runs where id = $1", [run.id])).toEqual([
      { status: "failed", tests: [] },
    ]);
  });

  test("with a call that was refused becomes a test in which it is refused again", async () => {
    const args = { email: "no address" };
    const playbook = { start: "a", states: { a: { do: [{ tool: "update_contact", args }], say: "Noted.", go: "@end" } } };
    const agent = await newAgent(account_id, playbook);
    await (await talk(agent.channel)).say("Hi");
    const [session] = await sessionsOf(agent);
    const { body: made } = await call("POST", `/sessions/${session?.id}/to-test`);
    const error = { code: "validation_failed", detail: expect.any(String) };
    expect(made.request.mocks).toEqual([{ tool: "update_contact", when: args, times: 1, error }]);
    expect(await runAll(agent, {})).toMatchObject({ status: "passed", passed: 1 });
  });

  test("that somebody has changed is neither rated nor ended at the version from before, however close", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    await ada.say("Hi");
    const [session] = await sessionsOf(agent);
    const ask = async (path: string, body?: object) =>
      (await call("POST", `/sessions/${session?.id}/${path}`, body, partner.key, { "if-match": `"${session?.version}"` })).status;
    const held = await hold("select from conversations where partner_id = $1 and id = $2 for update", [
      partner.partner_id,
      (await ada.find()).id,
    ]);
    const asked = [ask("feedback", { rating: "good" })];
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    asked.push(ask("feedback", { rating: "bad" }));
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    asked.push(ask("end"));
    await untilWaiting(world.db.sql, ROW_LOCKS, 3);
    await held.release();
    expect(await Promise.all(asked)).toEqual([200, 412, 412]);
  });

  test("is rated, and found by its rating", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    await (await talk(agent.channel)).say("Hi");
    const [session] = await sessionsOf(agent);
    expect(session?.feedback).toBeNull();
    const feedback = { rating: "bad", comment: "It should have asked for a name." };
    const { status, body } = await call("POST", `/sessions/${session?.id}/feedback`, feedback);
    expect([status, body.feedback]).toMatchObject([200, feedback]);
    expect(await sessionsOf(agent, "&rating=good")).toEqual([]);
    expect(await sessionsOf(agent, "&rating=bad")).toMatchObject([{ id: session?.id, feedback }]);
    expect((await call("POST", `/sessions/${session?.id}/feedback`, { rating: "good" })).body.feedback).toMatchObject({
      rating: "good",
      comment: null,
    });
    const told = (await call("GET", "/changes?resource=session&limit=100")).body.data.filter(
      ({ id }: Json) => id === session?.id,
    );
    expect(told.slice(-2).map(({ change, version }: Json) => [change, version])).toEqual([
      ["updated", body.version],
      ["updated", body.version + 1],
    ]);
    const { body: log } = await world.call("GET", `${BASE}/audit-log?target=${session?.id}`, { key: partner.key });
    expect(log.data.map(({ action, changes }: Json) => [action, changes.rating?.to])).toEqual([
      ["sessions.feedback", "good"],
      ["sessions.feedback", "bad"],
    ]);
  });
});
