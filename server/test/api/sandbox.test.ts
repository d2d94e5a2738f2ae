import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { QUALIFY_LEADS, TOOLS } from "../../src/features/agents/engine/index.ts";
import { startChild } from "../../src/features/agents/sandbox/process.ts";
import { agentsOf, fitting } from "../harness/agents.ts";
import { checksums } from "../harness/checksums.ts";
import { sandboxLogin } from "../harness/reads.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let account_id: string;
let sink: Receiver;
const { call, newAgent, talk } = agentsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  sink = await startReceiver();
});
afterAll(() => sink.close());

const messages = (...texts: string[]) => texts.map((text) => ({ text }));
const faultsOf = ({ body }: Json) => body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
const run = (agent: { id: string }, body: object) => call("POST", `/agents/${agent.id}/sandbox`, body);

/** A playbook that uses every tool, with an address that would be noticed. */
const hostile = {
  start: "a",
  states: {
    a: {
      do: [
        { tool: "update_contact", args: { company: "Changed" } },
        { tool: "update_lead", args: { status: "qualified", notes: "Changed" } },
        { tool: "add_tag", args: { tag: "changed" } },
        { tool: "add_note", args: { text: "Changed" } },
        { tool: "create_deal", args: { name: "Changed", amount_cents: 1 } },
        { tool: "move_deal", args: { stage: "Won" } },
      ],
      say: "First.",
      go: "b",
    },
    b: {
      do: [
        { tool: "schedule_follow_up", args: { minutes: 1, text: "Again" } },
        { tool: "http_request", args: { name: "sink", body: { stolen: "{{contact.phone}}" } } },
      ],
      say: "Second.",
      go: "@handoff",
    },
  },
};

describe("a sandbox run", () => {
  test("shows what an agent would do, and leaves no trace of it: every table, every sequence, nobody called", async () => {
    const agent = await newAgent(account_id, hostile, { content: { targets: { sink: { url: `${sink.origin}/sink` } } } });
    const contact = await world.newContact(partner, { account_id });
    await call("POST", "/deals", { account_id, name: "Seats", contact_id: contact.id });
    const before = await checksums(world);
    const { status, body } = await run(agent, { messages: messages("Hi"), world: { contact_id: contact.id } });
    expect([status, body.status, body.error]).toEqual([200, "completed", null]);
    expect(await checksums(world)).toEqual(before);
    expect(sink.received).toEqual([]);
    expect(body.isolation).toMatchObject({ process: "own", live_writes: 0, blocked: [] });
    expect(body.tool_calls.map(({ source }: Json) => source)).toEqual(Array.from({ length: 8 }, () => "simulated"));
    expect(body.effects.map(({ kind }: Json) => kind)).toEqual([
      "contact.update",
      "lead.create",
      "contact.update",
      "note.create",
      "deal.create",
      "deal.move",
      "follow_up.schedule",
      "message.send",
      "message.send",
      "conversation.handoff",
    ]);
    expect(body.effects[0]).toEqual({
      kind: "contact.update",
      target: contact.id,
      before: { company: contact.company },
      after: { company: "Changed" },
    });
    expect((await call("GET", `/sandbox-runs/${body.id}`)).body).toEqual(body);
    expect((await call("GET", `/agents/${agent.id}/sandbox`)).body.data).toMatchObject([{ id: body.id, status: "completed" }]);
    expect((await call("GET", `/agents/${agent.id}/sessions`)).body.data).toEqual([]);
  });

  test("is the same one for a request that is repeated, whatever has become of the person", async () => {
    const agent = await newAgent(account_id, hostile);
    const { id: contact_id } = await world.newContact(partner, { account_id });
    const body = { messages: messages("Hi"), world: { contact_id } };
    const ask = () => call("POST", `/agents/${agent.id}/sandbox`, body, partner.key, { "idempotency-key": "run-once" });
    const first = await ask();
    await call("DELETE", `/contacts/${contact_id}`);
    const again = await ask();
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });

  test("says what the agent says live, word for word, on the same world", async () => {
    const playbook = structuredClone(QUALIFY_LEADS) as Json;
    playbook.states.hello.say = ["Hi.", "Hello {{contact.first_name}}.", "{{account.name}} here.", "Good day."];
    const agent = await newAgent(account_id, playbook);
    for (let person = 0; person < 3; person += 1) {
      const script = ["Hi", "ads", "lots", "900", `ada${person}@harbour.example`];
      const ada = await talk(agent.channel);
      const live: string[] = [];
      for (const text of script) live.push(...(await ada.say(text)));
      const { contact_id } = await ada.find();
      const [session] = (await call("GET", `/agents/${agent.id}/sessions?limit=1`)).body.data;
      const { body } = await run(agent, { messages: messages(...script), world: { contact_id }, seed: session.id });
      expect(body.transcript.filter(({ role }: Json) => role === "agent").map(({ text }: Json) => text)).toEqual(live);
      expect(body.slots).toEqual(session.slots);
    }
  });

  test("runs the draft, the published version or any other, with mocks, assertions, fixtures and a clock of its own", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const content = {
      engine: "playbook",
      playbook: { start: "a", states: { a: { say: "Draft, {{contact.name|stranger}}.", go: "@end" } } },
    };
    await call("POST", `/agents/${agent.id}/versions`, { content });
    const said = async (version: unknown, more = {}) => {
      const { body } = await run(agent, { version, messages: messages("Hi"), ...more });
      return [body.agent_version, body.transcript[1].text];
    };
    expect(await said(undefined)).toEqual([1, `Hi, I am ${agent.name}.`]);
    expect(await said("published")).toEqual([1, `Hi, I am ${agent.name}.`]);
    expect(await said("draft")).toEqual([2, "Draft, stranger."]);
    expect(await said(2, { world: { fixtures: { contact: { name: "Eve" } } } })).toEqual([2, "Draft, Eve."]);
    const assert = [{ type: "handed_off", value: true }];
    const mocks = [{ tool: "update_lead", error: { detail: "Closed." } }];
    const script = messages("Hi", "ads", "1", "ada@harbour.example");
    expect((await run(agent, { version: 1, messages: script, mocks, assert })).body.status).toBe("passed");
    expect((await run(agent, { version: 1, messages: script, assert })).body).toMatchObject({
      status: "failed",
      assertions: [{ passed: false }],
    });
    const first = (await run(agent, { version: 1, messages: messages("Hi", "ads") })).body;
    const next = (await run(agent, { version: 1, messages: messages("700"), continue_from: first.id })).body;
    expect(next.transcript).toMatchObject([{ text: "700", turn: 3 }, { text: "Where can we write to you?" }]);
  });

  test("refuses tools, versions, people and runs that do not exist", async () => {
    const agent = await newAgent(account_id, QUALIFY_LEADS);
    const other = await world.newContact(partner, {});
    const refused = async (body: object) => faultsOf(await run(agent, { messages: messages("Hi"), ...body }));
    expect(await refused({ mocks: [{ tool: "fly" }], assert: [{ type: "tool_called", tool: "swim" }] })).toEqual([
      "#/mocks/0/tool unknown_tool",
      "#/assert/0/tool unknown_tool",
    ]);
    expect(await refused({ version: 9 })).toEqual(["#/version unknown_version"]);
    expect(await refused({ world: { contact_id: other.id } })).toEqual(["#/world/contact_id unknown_contact"]);
    const strange = await newAgent(account_id, QUALIFY_LEADS);
    const { body } = await run(strange, { messages: messages("Hi") });
    expect(await refused({ continue_from: body.id })).toEqual(["#/continue_from unknown_run"]);
  });
});

test("a playbook that tries every tool with every argument, and ids of others, leaves no trace with the own login", async () => {
  const stranger = await world.newContact(await world.newPartner(), {});
  const contact = await world.newContact(partner, { account_id });
  await call("POST", "/deals", { account_id, name: "Seats", contact_id: contact.id });
  await call("POST", "/knowledge-sources", {
    account_id,
    kind: "text",
    name: "Prices",
    text: "Changed: @handoff {{contact.phone}}",
  });
  const waits = { branch: [{ when: { match: ["never"] }, go: "@end" }] };
  const tools = Object.keys(TOOLS);
  /** The same words everywhere, then the id of somebody else in place of each of them. */
  const playbookOf = (tool: string) => {
    const args = fitting(tool);
    const foreign = Object.entries(args).map(([key, value]) => [key, value === "Changed" ? stranger.id : value]);
    return {
      start: "a",
      states: {
        a: { do: [{ tool, args }], say: "First.", ...waits, go: "b" },
        b: { do: [{ tool, args: Object.fromEntries(foreign) }], say: "Second.", ...waits, go: "@handoff" },
      },
    };
  };
  const targets = { sink: { url: `${sink.origin}/sink` } };
  const made = await call("POST", "/agents", {
    account_id,
    name: "Mallory",
    content: { engine: "playbook", playbook: playbookOf(tools[0] ?? ""), targets },
  });
  for (const tool of tools.slice(1))
    await call("POST", `/agents/${made.body.id}/versions`, {
      content: { engine: "playbook", playbook: playbookOf(tool), targets },
    });
  const raw = ["message.send", "contact.update", "model", "constructor", "__proto__"];
  for (const tool of raw) {
    const content = { engine: "playbook", playbook: { start: "a", states: { a: { do: [{ tool, args: {} }], go: "@end" } } } };
    expect((await call("POST", `/agents/${made.body.id}/versions`, { content })).status, tool).toBe(422);
  }
  const before = await checksums(world);
  const received = sink.received.length;
  const used = new Set<string>();
  for (const version of tools.keys()) {
    const script = { version: version + 1, messages: messages("Hi", "Go on"), world: { contact_id: contact.id } };
    const { status, body } = await run(made.body, script);
    expect([status, body.status, body.error]).toEqual([200, "completed", null]);
    expect(body.isolation).toMatchObject({ process: "own", login: sandboxLogin(), live_writes: 0, blocked: [] });
    for (const { name } of body.tool_calls) used.add(name);
    for (const { target } of body.effects) expect(target).not.toBe(stranger.id);
  }
  expect((await run(made.body, { messages: messages("Hi"), world: { contact_id: stranger.id } })).status).toBe(422);
  expect([...used].toSorted()).toEqual(tools.toSorted());
  expect(await checksums(world)).toEqual(before);
  expect(sink.received).toHaveLength(received);
});

test("the process of a run has no files, no network, no environment, no processes and no code from text", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  let reached = 0;
  server.on("connection", () => {
    reached += 1;
  });
  const child = startChild(fileURLToPath(new URL("../harness/hostile-child.ts", import.meta.url)));
  await once(child, "message");
  child.send({ port: (server.address() as { port: number }).port });
  const [attempts] = (await once(child, "message")) as [Record<string, string>];
  child.kill("SIGKILL");
  server.close();
  expect(attempts).toEqual({
    read: "ERR_ACCESS_DENIED",
    write: "ERR_ACCESS_DENIED",
    environ: "ERR_ACCESS_DENIED",
    spawn: "ERR_ACCESS_DENIED",
    kill: "refused",
    worker: "ERR_ACCESS_DENIED",
    eval: "EvalError",
    connect: "refused",
    listen: "refused",
    udp: "refused",
    dns: "refused",
    fetch: "refused",
    environment: "",
  });
  expect(reached).toBe(0);
});
