import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askModelOf } from "../../src/features/agents/definitions/index.ts";
import { QUALIFY_LEADS } from "../../src/features/agents/engine/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { agentsOf } from "../harness/agents.ts";
import { type ModelServer, type Says, type Script, startModelServer } from "../harness/model-server.ts";
import { status } from "../harness/receiver.ts";
import { sized } from "../harness/size.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let account_id: string;
let server: ModelServer;
const { call, newAgent, talk, answer, write, sessionsOf, sessionOf } = agentsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  server = await startModelServer();
});
afterAll(() => server.close());

const llm = (more = {}) => ({
  playbook: undefined,
  engine: "llm",
  instructions: "You sell visits.",
  model: { base_url: server.origin, name: "small-1", api_key: "mk-secret" },
  ...more,
});
const newModelAgent = (content: object = {}) => newAgent(account_id, {}, { content: llm(content) });
const hybrid = (playbook: object) => newAgent(account_id, playbook, { content: { ...llm(), engine: "hybrid", playbook } });
const lastTurn = async (agent: { id: string }): Promise<Json> => {
  const [session] = await sessionsOf(agent);
  return (await sessionOf(session.id)).history.at(-1);
};
/** A script that says one thing after the other, and the last one from then on. */
const inTurn =
  (...said: Says[]): Script =>
  (_, count) =>
    said[Math.min(count, said.length) - 1] ?? {};

describe("an agent with a model", () => {
  test("answers in its words, knows what was said before, and counts what it costs", async () => {
    const agent = await newModelAgent();
    const ada = await talk(agent.channel);
    server.follow(inTurn({ text: "Hello, what do you need?" }, { text: "A visit, then." }));
    expect(await ada.say("Hi")).toEqual(["Hello, what do you need?"]);
    expect(await ada.say("A visit")).toEqual(["A visit, then."]);
    const [system, ...chat] = server.asked[1].messages;
    expect(system.content).toContain("You sell visits.");
    expect(chat).toEqual([
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello, what do you need?" },
      { role: "user", content: "A visit" },
    ]);
    expect(server.received.at(-1)?.headers.authorization).toBe("Bearer mk-secret");
    const [session] = await sessionsOf(agent);
    expect(session.usage).toEqual({ requests: 2, input_tokens: 20, output_tokens: 10 });
    expect(await lastTurn(agent)).toMatchObject({ spoke: "model", usage: { requests: 1 }, failures: [] });
  });

  test("uses tools, several at once, and is told what they answered; what it does happens with what it says", async () => {
    const agent = await newModelAgent();
    const ada = await talk(agent.channel);
    server.follow(
      inTurn(
        {
          calls: [
            { name: "add_tag", arguments: { tag: "hot" } },
            { name: "create_deal", arguments: { name: "Visit", amount_cents: 900 } },
          ],
        },
        { calls: [{ name: "lookup_contact", arguments: {} }] },
        { text: "Goodbye.", calls: [{ name: "end", arguments: { outcome: "booked" } }] },
      ),
    );
    expect(await ada.say("Book me")).toEqual(["Goodbye."]);
    const { contact_id } = await ada.find();
    expect((await call("GET", `/contacts/${contact_id}`)).body.tags).toEqual(["hot"]);
    expect((await call("GET", `/deals?contact_id=${contact_id}`)).body.data).toMatchObject([
      { name: "Visit", amount_cents: 900 },
    ]);
    const [first, second] = server.asked[1].messages.slice(-2);
    expect([first.role, JSON.parse(first.content), JSON.parse(second.content)]).toMatchObject([
      "tool",
      { ok: true, value: { tags: ["hot"] } },
      { ok: true },
    ]);
    expect(JSON.parse(server.asked[2].messages.at(-1).content).value.contact.tags).toEqual(["hot"]);
    expect(await sessionsOf(agent)).toMatchObject([{ status: "completed", outcome: { reason: "booked" } }]);
  });

  test("gets arguments back that do not fit, once; then a person takes over", async () => {
    const agent = await newModelAgent();
    const broken = { calls: [{ name: "add_tag", arguments: '{"tag": "ho' }] };
    const ada = await talk(agent.channel);
    server.follow(inTurn(broken, { calls: [{ name: "add_tag", arguments: { tag: "hot" } }] }, { text: "Done." }));
    expect(await ada.say("Hi")).toEqual(["Done."]);
    expect(server.asked[1].messages.at(-1).content).toContain("invalid_arguments");
    const eve = await talk(agent.channel);
    server.follow(() => broken);
    expect(await eve.say("Hi")).toEqual([]);
    expect(server.asked).toHaveLength(2);
    expect(await eve.find()).toMatchObject({ owner_kind: "human" });
  });

  test("hands off when the model refuses, says nothing, is cut off, is not there or cannot be read", async () => {
    const agent = await newModelAgent();
    const down = status(503);
    const cases: [Script, string, string[]][] = [
      [() => ({ refusal: "No." }), "The model refused to answer.", ["refusal"]],
      [() => ({ text: " " }), "The model had no answer.", []],
      [() => ({ text: "And th", finish: "length" }), "The answer of the model was cut off.", []],
      [() => (response) => down(response, {} as never, {} as never), "The model failed: down.", ["down"]],
      [() => (response) => void response.end("{"), "The model failed: malformed.", ["malformed"]],
    ];
    for (const [script, reason, failures] of cases) {
      server.follow(script);
      const ada = await talk(agent.channel);
      expect(await ada.say("Hi")).toEqual([]);
      const [session] = await sessionsOf(agent);
      expect(session).toMatchObject({ status: "handed_off", outcome: { kind: "handed_off", reason } });
      expect(await lastTurn(agent)).toMatchObject({ state: "done", failures, spoke: null });
    }
  });

  test("learns what a command refused when it was to be done, and answers once more; after that a person takes over", async () => {
    const agent = await newModelAgent();
    const ada = await talk(agent.channel);
    const wrong: Says = { calls: [{ name: "update_contact", arguments: { email: "none" } }] };
    server.follow((asked) => {
      const last = asked.messages.at(-1);
      return last.role === "user" ? wrong : { text: last.content.includes('"ok":true') ? "Saved." : "That is no address." };
    });
    expect(await ada.say("Write to none")).toEqual(["That is no address."]);
    expect((await lastTurn(agent)).calls).toMatchObject([{ tool: "update_contact", answer: { ok: false } }]);
    const eve = await talk(agent.channel);
    const alsoWrong: Says = { calls: [{ name: "update_contact", arguments: { email: "nobody" } }] };
    server.follow((asked) => {
      const last = asked.messages.at(-1);
      return last.role === "user" ? wrong : last.content.includes('"ok":true') ? { text: "Saved." } : alsoWrong;
    });
    expect(await eve.say("Write to none")).toEqual([]);
    expect(await eve.find()).toMatchObject({ owner_kind: "human" });
    expect(await lastTurn(agent)).toMatchObject({ state: "done", calls: [] });
  });
});

describe("the key of a model", () => {
  const versions = (agent: { id: string }) => call("GET", `/agents/${agent.id}/versions`);
  test("is never shown again, and goes on to the next version only for the same address", async () => {
    const agent = await newModelAgent();
    expect(JSON.stringify((await call("GET", `/agents/${agent.id}/versions/1`)).body)).not.toContain("mk-secret");
    const model = { base_url: server.origin, name: "small-2" };
    const add = async (content: object) => (await call("POST", `/agents/${agent.id}/versions`, { content: llm(content) })).body;
    expect((await add({ model })).api_key_set).toBe(true);
    expect((await add({ model: { ...model, base_url: `${server.origin}/other` } })).api_key_set).toBe(false);
    expect((await add({ model: { ...model, api_key: null } })).api_key_set).toBe(false);
    expect((await versions(agent)).body.data.map(({ api_key_set }: Json) => api_key_set)).toEqual([false, false, true, true]);
    const [{ secrets }] = (await world.db.sql<Json>("select secrets from agent_versions where agent_id = $1 and number = 1", [
      agent.id,
    ])) as [Json];
    expect(secrets.toString()).not.toContain("mk-secret");
    server.follow(() => ({ text: "Hello." }));
    await call("POST", `/agents/${agent.id}/publish`, { version: 4 });
    await (await talk(agent.channel)).say("Hi");
    expect(server.received.at(-1)?.headers.authorization).toBeUndefined();
  });

  test("engines name what they miss, tools that nobody can approve, and addresses that are not allowed", async () => {
    const refused = async (content: object) => {
      const { body } = await call("POST", "/agents", { account_id, name: "Refused", content });
      return body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
    };
    expect(await refused({ engine: "llm" })).toEqual([
      "#/content/model model_required",
      "#/content/instructions instructions_required",
    ]);
    expect(await refused({ engine: "hybrid" })).toEqual([
      "#/content/playbook playbook_required",
      "#/content/model model_required",
    ]);
    expect(await refused({ engine: "playbook" })).toEqual(["#/content/playbook playbook_required"]);
    expect(await refused(llm({ tools: { handoff: "approve", add_tag: "approve", lookup_contact: "approve" } }))).toEqual([
      "#/content/tools/handoff not_approvable",
      "#/content/tools/lookup_contact not_approvable",
    ]);
    expect(await refused(llm({ model: { base_url: "ftp://x.example", name: "x" } }))).toEqual([
      "#/content/model/base_url url_not_allowed",
    ]);
  });
});

describe("a playbook with a model", () => {
  const said = (asked: Json) => JSON.parse(asked.messages[1].content);

  test("says the same in other words, and asks its own questions", async () => {
    const agent = await hybrid(QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    server.follow(() => ({ text: '```json\n{"messages": ["Good day, this is Nora!"]}\n```' }));
    const own = await ada.say("Hi");
    // The name of the agent has a number, which the words of the model have lost.
    expect(own).toEqual([`Hi, I am ${agent.name}.`, "Website or ads?"]);
    server.follow((asked) => ({ text: JSON.stringify({ messages: said(asked).messages.map((text: string) => `Oh! ${text}`) }) }));
    const eve = await talk(agent.channel);
    expect(await eve.say("Hi")).toEqual([`Oh! Hi, I am ${agent.name}.`, "Website or ads?"]);
    expect(await lastTurn(agent)).toMatchObject({ spoke: "model", usage: { requests: 1 } });
  });

  test("reads answers and chooses branches with the model, but only those that there are", async () => {
    const agent = await hybrid({
      start: "hello",
      slots: { need: { type: "choice", choices: ["website", "ads"], ask: "Website or ads?" } },
      states: {
        hello: { collect: ["need"], go: "which" },
        which: {
          say: "Now or later?",
          branch: [
            { when: { match: ["now"] }, say: "At once.", go: "@end" },
            { when: { match: ["later"] }, say: "Some day.", go: "@end" },
          ],
          go: "@handoff",
        },
      },
      fallback: { say: "I did not get that.", max: 2, go: "@handoff" },
    });
    const answers = (slot: unknown, choice: unknown): Script => {
      return (asked) => {
        const given = said(asked);
        if ("answer" in given) return { text: JSON.stringify({ value: slot }) };
        return "choices" in given ? { text: JSON.stringify({ choice }) } : { text: "no JSON" };
      };
    };
    const ada = await talk(agent.channel);
    server.follow(answers("website", 2));
    await ada.say("Hi");
    expect(await ada.say("We need something for the internet")).toEqual(["Now or later?"]);
    expect(await ada.say("Not before summer")).toEqual(["Some day."]);
    const eve = await talk(agent.channel);
    server.follow(answers("a car", 9));
    await eve.say("Hi");
    expect(await eve.say("We need something")).toEqual(["I did not get that.", "Website or ads?"]);
    await eve.say("ads");
    expect(await eve.say("Not before summer")).toEqual(["I did not get that."]);
  });

  test("says its own words when the model does not answer in time, and goes on", async () => {
    const agent = await hybrid(QUALIFY_LEADS);
    const ada = await talk(agent.channel);
    server.follow(() => () => undefined);
    expect(await ada.say("Hi")).toEqual([`Hi, I am ${agent.name}.`, "Website or ads?"]);
    expect(await lastTurn(agent)).toMatchObject({ state: "done", spoke: "playbook", failures: ["timeout"] });
  });
});

test("a turn whose time is over does not ask the model any more", async () => {
  const { id: agent_id } = await newModelAgent();
  const { content } = (await call("GET", `/agents/${agent_id}/versions/1`)).body;
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
  const args = { purpose: "answer", messages: [], tools: [], max_tokens: 10, deadline_ms: 60_000 };
  const ask = (left_ms?: number) =>
    askModelOf(ctx, { agent_id, number: 1, content }, { call: 1, tool: "model", effect: "model", args }, left_ms);
  server.follow(() => ({ text: "Hello." }));
  expect(await ask(0)).toMatchObject({ ok: false, code: "timeout" });
  expect(server.asked).toEqual([]);
  expect(await ask()).toMatchObject({ ok: true, value: { text: "Hello." } });
});

describe("payment links", () => {
  test("an agent makes one for the person, and the address is in what it says", async () => {
    const playbook = {
      start: "a",
      states: {
        a: {
          do: [{ tool: "create_payment_link", args: { amount_cents: 4_200, description: "Visit" } }],
          go: "b",
        },
        b: { say: "Pay here: {{result.create_payment_link.url}}", go: "@end" },
      },
    };
    const agent = await newAgent(account_id, playbook);
    const ada = await talk(agent.channel);
    const [text = ""] = await ada.say("Hi");
    const { id, contact_id } = await ada.find();
    const { data } = (await call("GET", `/billing/payment-links?contact_id=${contact_id}`)).body;
    expect(data).toMatchObject([{ conversation_id: id, contact_id, total_cents: 4_200, description: "Visit" }]);
    expect(text).toBe(`Pay here: ${data[0].url}`);
    const { calls } = await lastTurn(agent);
    expect(calls[0].answer.value).toEqual({ payment_link_id: data[0].id, url: data[0].url });
    const run = (await call("POST", `/agents/${agent.id}/sandbox`, { messages: [{ text: "Hi" }], world: { contact_id } })).body;
    expect(run.effects[0]).toMatchObject({ kind: "payment_link.create", after: { amount_cents: 4_200 } });
    expect((await call("GET", `/billing/payment-links?contact_id=${contact_id}`)).body.data).toHaveLength(1);
  });

  test("one for a lead has the lead's name and address, and the lead stays one, with its tags and notes", async () => {
    const steps = [
      { tool: "add_tag", args: { tag: "hot" } },
      { tool: "add_note", args: { text: "Wants to pay." } },
      { tool: "create_payment_link", args: { amount_cents: 4_200, description: "Visit" } },
    ];
    const playbook = { start: "a", states: { a: { do: steps, say: "Pay here.", go: "@end" } } };
    const { channel } = await newAgent(account_id, playbook, { kind: "api" });
    const profile = { name: "Eve Adeyemi", email: "eve@test.example", external_id: "visitor-1" };
    await write(channel, "visitor-1", "Hi", { profile });
    await answer();
    const [{ id, lead_id }] = (await call("GET", `/conversations?channel_id=${channel.id}`)).body.data;
    expect((await call("GET", `/leads/${lead_id}`)).body).toMatchObject({ email: "eve@test.example", tags: ["hot"] });
    expect((await call("GET", `/leads/${lead_id}/notes`)).body.data).toMatchObject([{ body: "Wants to pay." }]);
    const { data } = (await call("GET", `/billing/payment-links?account_id=${account_id}&limit=100`)).body;
    const { name, email } = profile;
    expect(data.filter(({ conversation_id }: Json) => conversation_id === id)).toMatchObject([
      { contact_id: null, customer: { name, email, phone: null } },
    ]);
  });
});

test("a deal for a lead is the lead's: the turn that makes it moves it, and so does the next one", async () => {
  const make = { tool: "create_deal", args: { name: "Visit of Eve" } };
  const move = (stage: string) => ({ tool: "move_deal", args: { stage } });
  const bye = [{ when: { match: ["bye"] }, go: "@end" }];
  const states = {
    a: { do: [make, move("Qualified")], say: "Noted.", branch: bye, go: "b" },
    b: { do: [move("Proposal")], say: "Moved.", go: "@end" },
  };
  const { channel } = await newAgent(account_id, { start: "a", states }, { kind: "api" });
  const deals = async () => {
    const { data } = (await call("GET", `/deals?account_id=${account_id}&limit=100`)).body;
    return data.flatMap(({ name, lead_id, stage }: Json) => (name === "Visit of Eve" ? [[lead_id, stage]] : []));
  };
  const say = async (text: string) => {
    await write(channel, "visitor-2", text, { profile: { name: "Eve Adeyemi", external_id: "visitor-2" } });
    await answer();
    return deals();
  };
  const first = await say("Hi");
  const [{ lead_id }] = (await call("GET", `/conversations?channel_id=${channel.id}`)).body.data;
  expect([lead_id, first]).toEqual([expect.stringMatching(/^lead_/), [[lead_id, "Qualified"]]]);
  expect(await say("Go on")).toEqual([[lead_id, "Proposal"]]);
});

test("conversations at once with a model: none has a word or a note of another, and whoever takes over has the last word", async () => {
  const agent = await newModelAgent();
  /** Whoever is asked for, the model says their name back: from what they wrote and from what is known of them. */
  server.follow((asked) => {
    const [system, ...chat] = asked.messages;
    const name = chat.find(({ role }: Json) => role === "user").content;
    const known = new Set(`${system.content}${JSON.stringify(chat)}`.match(/person-\d+/g));
    const text = [...known].toSorted().join(" ");
    return chat.at(-1).role === "user" ? { calls: [{ name: "add_note", arguments: { text: name } }] } : { text };
  });
  const people = await Promise.all(
    Array.from({ length: sized(12, 100) }, async (_, index) => ({
      name: `person-${index}`,
      taken: index % 3 === 0,
      ...(await talk(agent.channel)),
    })),
  );
  await Promise.all(people.map(({ phone, name }) => write(agent.channel, phone, name)));
  const found = await Promise.all(people.map(async (one) => ({ ...one, conversation: await one.find() })));
  const takeOver = async ({ conversation, taken }: (typeof found)[number]) => {
    if (taken) await call("POST", `/conversations/${conversation.id}/takeover`, {});
  };
  await Promise.all([answer(), answer(), answer(), ...found.map(takeOver)]);
  await answer();
  for (const { name, taken, thread, conversation } of found) {
    const messages = await thread();
    const said = messages.filter(({ direction, kind }) => direction === "out" && kind === "text");
    const takeover = messages.findIndex(({ kind, event }) => kind === "event" && event.type === "taken_over");
    expect(said.map(({ text }) => text)).toEqual(taken && said.length === 0 ? [] : [name]);
    if (taken && said.length > 0) expect(messages.indexOf(said[0] as Json)).toBeLessThan(takeover);
    const { data } = (await call("GET", `/contacts/${conversation.contact_id}/notes`)).body;
    expect(data.map(({ body }: Json) => body)).toEqual(said.map(() => name));
  }
});
