import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expireApprovals } from "../../src/features/agents/sessions/approvals/commands.ts";
import { agentsOf } from "../harness/agents.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let account_id: string;
let target: Receiver;
let server: ModelServer;
const { call, newAgent, talk, answer, sessionsOf, sessionOf } = agentsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  target = await startReceiver();
  server = await startModelServer();
});
afterAll(async () => {
  await target.close();
  await server.close();
});

/** An agent that asks before it uses a tool, and somebody for whom it wants to. */
async function asking(tool: string, args: object, phone = nextPhone()) {
  const playbook = {
    start: "a",
    states: { a: { do: [{ tool, args }], say: "We will see.", branch: [{ when: { match: ["bye"] }, go: "@end" }], go: "a" } },
  };
  const content = { tools: { [tool]: "approve" }, targets: { sink: { url: `${target.origin}/sink` } } };
  const agent = await newAgent(account_id, playbook, { content });
  const person = await talk(agent.channel, phone);
  expect(await person.say("Hi")).toEqual(["We will see."]);
  const { id: conversation_id, contact_id } = await person.find();
  const [approval] = (await call("GET", `/approvals?conversation_id=${conversation_id}`)).body.data;
  return { agent, person, conversation_id, contact_id, approval, id: approval.id as string };
}

const read = async (id: string): Promise<Json> => (await call("GET", `/approvals/${id}`)).body;
const decide = (id: string, what: "approve" | "reject", body: object = {}) => call("POST", `/approvals/${id}/${what}`, body);
const dealsOf = async (contact_id: string) => (await call("GET", `/deals?contact_id=${contact_id}`)).body.data;
const notesIn = async (person: { thread(): Promise<Json[]> }) =>
  (await person.thread()).filter(({ kind }) => kind === "note").map(({ text }) => text);
const changesOf = async (approval_id: string) =>
  (await call("GET", "/changes?resource=approval&limit=100")).body.data
    .filter(({ id }: Json) => id === approval_id)
    .map(({ change, version }: Json) => `${change} ${version}`);
const DEAL = { name: "Visit", amount_cents: 900 };

describe("a tool whose policy is approve", () => {
  test("waits for somebody, and is done once it is approved: the team is told of both", async () => {
    const { person, contact_id, conversation_id, approval, id, agent } = await asking("create_deal", DEAL);
    expect(approval).toMatchObject({
      ...{ account_id, agent_id: agent.id, agent_version: 1, conversation_id, tool: "create_deal", args: DEAL },
      ...{ record_id: contact_id, status: "pending", decided_by: null, result: null, executed_at: null, version: 1 },
    });
    expect(await dealsOf(contact_id)).toEqual([]);
    expect(await notesIn(person)).toEqual([`create_deal waits for approval (${id}): ${JSON.stringify(DEAL)}`]);
    const approved = await decide(id, "approve", { note: "Agreed by phone" });
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { status: "approved", note: "Agreed by phone", executed_at: null },
    ]);
    expect(await dealsOf(contact_id)).toEqual([]);
    expect(await answer()).toBe(1);
    expect(await dealsOf(contact_id)).toMatchObject([DEAL]);
    expect(await read(id)).toMatchObject({
      status: "approved",
      result: { ok: true },
      executed_at: expect.any(String),
      version: 3,
    });
    const [, approving, doing] = await notesIn(person);
    expect(approving).toBe(`create_deal (${id}) was approved: Agreed by phone`);
    const [, told] = /^create_deal \((?:.+)\) is done: (.+)$/.exec(doing) ?? [];
    expect(JSON.parse(told ?? "")).toEqual((await read(id)).result.value);
    expect(await changesOf(id)).toEqual(["created 1", "updated 2", "updated 3"]);
    expect(await answer()).toBe(0);
    const [session] = await sessionsOf(agent);
    expect((await sessionOf(session.id)).history).toMatchObject([
      { state: "done" },
      { state: "done", calls: [{ tool: "create_deal" }] },
    ]);
  });

  test("is done once, whoever approves at the same time", async () => {
    const { contact_id, id } = await asking("create_deal", DEAL);
    const decided = await Promise.all(Array.from({ length: 6 }, () => decide(id, "approve")));
    expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await decide(id, "reject")).body.code).toBe("invalid_state_transition");
    await Promise.all([answer(), answer(), answer()]);
    await answer();
    expect(await dealsOf(contact_id)).toHaveLength(1);
  });

  test("is not done when the record has changed since, nor when it is rejected or too late", async () => {
    const changed = await asking("create_deal", DEAL);
    await call("PATCH", `/contacts/${changed.contact_id}`, { company: "Other" });
    const { status, body } = await decide(changed.id, "approve");
    const record_version = changed.approval.record_version;
    expect([status, body]).toMatchObject([
      409,
      { code: "approval_conflict", record_id: changed.contact_id, record_version, current_version: record_version + 1 },
    ]);
    expect((await decide(changed.id, "reject", { note: "Too late" })).body).toMatchObject({
      status: "rejected",
      note: "Too late",
    });
    const late = await asking("create_deal", DEAL);
    world.clock.advance(7 * 86_400_000);
    expect((await decide(late.id, "approve")).body.code).toBe("invalid_state_transition");
    expect(await expireApprovals(world.app.services)).toBeGreaterThan(0);
    expect(await read(late.id)).toMatchObject({ status: "expired", decided_at: null });
    expect(await changesOf(late.id)).toEqual(["created 1", "updated 2"]);
    await answer();
    for (const { contact_id } of [changed, late]) expect(await dealsOf(contact_id)).toEqual([]);
  });

  test("is done to the deal or the lead that was approved, not to a newer one, and only while it is as it was then", async () => {
    const make = async (path: string, body: object) => (await call("POST", path, { account_id, ...body })).body;
    const contact = await make("/contacts", { name: "Ada", phone: nextPhone(), email: "ada@two.example" });
    const dealOf = (name: string) => make("/deals", { name, contact_id: contact.id });
    const older = await dealOf("Older");
    const moves = [
      await asking("move_deal", { stage: "Proposal" }, contact.phone),
      await asking("move_deal", { stage: "Won" }, contact.phone),
    ];
    const newer = await dealOf("Newer");
    expect(moves.map(({ approval }) => approval.record_id)).toEqual([older.id, older.id]);
    for (const { id } of moves) {
      expect((await decide(id, "approve")).status).toBe(200);
      world.clock.advance(1);
    }
    await answer();
    const [moved, refused] = await Promise.all(moves.map(({ id }) => read(id)));
    expect(moved?.result).toEqual({ ok: true, value: { deal_id: older.id } });
    expect(refused?.result).toMatchObject({ ok: false, code: "approval_conflict" });
    expect((await dealsOf(contact.id)).map(({ id, stage }: Json) => [id, stage])).toEqual([
      [newer.id, newer.stage],
      [older.id, "Proposal"],
    ]);
    const first = await make("/leads", { name: "Ada", phone: contact.phone });
    const lead = await asking("update_lead", { notes: "Called" }, contact.phone);
    const second = await make("/leads", { name: "Ada", email: contact.email });
    await decide(lead.id, "approve");
    await answer();
    expect((await read(lead.id)).result).toEqual({ ok: true, value: { lead_id: first.id } });
    const notes = async ({ id }: Json) => (await call("GET", `/leads/${id}`)).body.notes;
    expect([await notes(first), await notes(second)]).toEqual(["Called", null]);
  });

  test("tells what the command refused, and is over then", async () => {
    const { id, contact_id } = await asking("update_contact", { email: "none" });
    await decide(id, "approve");
    await answer();
    expect(await read(id)).toMatchObject({ status: "approved", result: { ok: false } });
    expect(await answer()).toBe(0);
    expect((await call("GET", `/contacts/${contact_id}`)).body.email).toBeNull();
  });

  test("is done although a person has the conversation by now; a message beside it is answered, too", async () => {
    const { id, contact_id, conversation_id } = await asking("add_tag", { tag: "hot" });
    expect((await call("POST", `/conversations/${conversation_id}/takeover`, {})).status).toBe(200);
    await decide(id, "approve");
    await answer();
    expect((await call("GET", `/contacts/${contact_id}`)).body.tags).toEqual(["hot"]);
    const other = await asking("add_tag", { tag: "hot" });
    await decide(other.id, "approve");
    await other.person.say("bye");
    await answer();
    expect((await call("GET", `/contacts/${other.contact_id}`)).body.tags).toEqual(["hot"]);
    expect(await sessionsOf(other.agent)).toMatchObject([{ status: "completed" }]);
  });

  test("calls a target only then, and once, with the key of its turn", async () => {
    const { id } = await asking("http_request", { name: "sink", body: { visit: 1 } });
    expect(target.at("/sink")).toEqual([]);
    await decide(id, "approve");
    await answer();
    await answer();
    expect(target.at("/sink").map(({ headers }) => headers["idempotency-key"])).toEqual([expect.stringMatching(/^trn_.*\.1$/)]);
    expect(await read(id)).toMatchObject({ result: { ok: true, value: { status: 204 } } });
  });

  test("a model is told that it waits, and later what came of it; the sandbox shows that somebody would be asked", async () => {
    const content = {
      ...{ engine: "llm", playbook: undefined, instructions: "Ask for money.", tools: { create_payment_link: "approve" } },
      model: { base_url: server.origin, name: "small-1" },
    };
    const agent = await newAgent(account_id, {}, { content });
    const args = { amount_cents: 100, description: "Visit" };
    server.follow((asked) =>
      asked.messages.at(-1).role === "user" && !asked.messages[0].content.includes("payment_link_id")
        ? { calls: [{ name: "create_payment_link", arguments: args }] }
        : { text: "One moment." },
    );
    const ada = await talk(agent.channel);
    expect(await ada.say("How do I pay?")).toEqual(["One moment."]);
    expect(JSON.parse(server.asked[1].messages.at(-1).content)).toEqual({ ok: true, value: { pending: true } });
    const { id: conversation_id, contact_id } = await ada.find();
    const [{ id }] = (await call("GET", `/approvals?conversation_id=${conversation_id}&status=pending`)).body.data;
    await decide(id, "approve");
    await answer();
    const [link] = (await call("GET", `/billing/payment-links?contact_id=${contact_id}`)).body.data;
    expect((await read(id)).result).toEqual({ ok: true, value: { payment_link_id: link.id, url: link.url } });
    await ada.say("And now?");
    expect(server.asked.at(-1)?.messages[0].content).toContain(link.url);
    const run = (await call("POST", `/agents/${agent.id}/sandbox`, { messages: [{ text: "Hi" }], world: { contact_id } })).body;
    expect(run.effects).toContainEqual({ kind: "approval.request", target: "create_payment_link", before: null, after: args });
  });
});
