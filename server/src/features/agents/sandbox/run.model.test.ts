import { expect, test } from "vitest";
import { NO_MEMORY, type Playbook, QUALIFY_LEADS, type World } from "../engine/index.ts";
import { contains, type RunInput, runConversation } from "./run.model.ts";

const world: World = {
  contact: { id: "con_1", name: "Ada", tags: [] },
  lead: null,
  deals: [],
  statuses: ["working", "qualified"],
  stages: ["New"],
};
const input = (fields: Partial<RunInput>): RunInput => ({
  content: { engine: "playbook", playbook: QUALIFY_LEADS },
  names: { agent: "Nora", account: "Harbour" },
  variables: {},
  turns: ["Hi"],
  persona: null,
  turns_max: 50,
  from: 0,
  memory: NO_MEMORY,
  world,
  now: "2026-11-02T09:30:00Z",
  open: true,
  seed: "s",
  mocks: [],
  unmocked: "simulate",
  assert: [],
  ...fields,
});
const run = (fields: Partial<RunInput>) => runConversation(input(fields), async () => ({ ok: true, value: [] }));

test("a run shows what was said, what tools were used, and what would have changed", async () => {
  const { transcript, tool_calls, effects, slots, ending } = await run({
    turns: ["Hi", "ads", "900", "ada@harbour.example", "Hello?"],
  });
  expect(transcript.map(({ role, turn }) => `${turn} ${role}`)).toEqual([
    "1 contact",
    "1 agent",
    "1 agent",
    "2 contact",
    "2 agent",
    "3 contact",
    "3 agent",
    "4 contact",
    "4 agent",
    "4 event",
  ]);
  expect(tool_calls.map(({ name, source, valid }) => [name, source, valid])).toEqual([
    ["update_lead", "simulated", true],
    ["update_lead", "simulated", true],
    ["add_tag", "simulated", true],
  ]);
  expect(effects.filter(({ kind }) => kind !== "message.send").map(({ kind }) => kind)).toEqual([
    "lead.create",
    "lead.update",
    "contact.update",
    "conversation.handoff",
  ]);
  expect([slots.budget, ending?.kind]).toEqual([900, "handoff"]);
});

const calling: Playbook = {
  start: "a",
  states: {
    a: {
      do: [
        { tool: "http_request", args: { name: "slots" } },
        { tool: "add_tag", args: { tag: "x" } },
      ],
      go: "b",
    },
    b: { say: "{{result.http_request.body.first|none}}", go: "@end" },
  },
};

test("mocks answer by tool and arguments, a number of times; without one tools pretend or refuse", async () => {
  const answer = { tool: "http_request", when: { name: "slots" }, return: { status: 200, body: { first: "noon" } } };
  const said = async (fields: Partial<RunInput>) => {
    const { transcript, tool_calls } = await run({ content: { engine: "playbook", playbook: calling }, ...fields });
    return [transcript.filter(({ role }) => role !== "contact").map(({ text }) => text), tool_calls.map(({ source }) => source)];
  };
  expect(await said({ mocks: [answer] })).toEqual([
    ["noon", "@end: completed"],
    ["mock", "simulated"],
  ]);
  expect(await said({ mocks: [{ ...answer, when: { name: "other" } }] })).toEqual([
    ["none", "@end: completed"],
    ["simulated", "simulated"],
  ]);
  const failing = { tool: "add_tag", error: { detail: "Full." } };
  expect(await said({ mocks: [answer, failing] })).toEqual([["@handoff: add_tag: Full."], ["mock", "mock"]]);
  expect(await said({ unmocked: "error" })).toEqual([
    ["@handoff: http_request: There is no mock for http_request."],
    ["simulated"],
  ]);
  const [texts] = await said({ mocks: [{ ...answer, times: 1 }], turns: ["Hi", "Hi"] });
  expect(texts).toEqual(["noon", "@end: completed", "none", "@end: completed"]);
});

test("assertions are judged by what happened", async () => {
  const { assertions } = await run({
    turns: ["Hi", "ads", "900", "ada@harbour.example"],
    assert: [
      { type: "tool_called", tool: "add_tag", args: { tag: "hot" } },
      { type: "tool_called", tool: "create_deal" },
      { type: "text_matches", phrase: "colleague * call" },
      { type: "handed_off", value: false },
      { type: "slot", slot: "email", value: "ada@harbour.example" },
      { type: "effect", kind: "deal.create", value: false },
    ],
  });
  expect(assertions.map(({ passed }) => passed)).toEqual([true, false, true, false, true, true]);
  expect(contains({ a: { b: [1, 2] } }, { a: { b: [1] } })).toBe(true);
  expect(contains({ a: 1 }, { toString: 1 })).toBe(false);
});

test("a run goes on where another one ended", async () => {
  const { state } = await run({ turns: ["Hi", "ads"] });
  const { transcript } = await run({ ...state, turns: ["900"] });
  expect(transcript).toEqual([
    { role: "contact", text: "900", turn: 3 },
    { role: "agent", text: "Where can we write to you?", turn: 3, spoke: "playbook" },
  ]);
});

test("a persona answers what it is asked for, and what fits where it has no answer of its own", async () => {
  const simulated = { turns: ["Hello"], persona: { answers: { budget: "900" } } };
  const { transcript, slots, ending } = await run(simulated);
  expect(slots).toEqual({ need: "website", budget: 900, email: "person@example.com" });
  expect(ending?.kind).toBe("handoff");
  expect(await run(simulated)).toMatchObject({ transcript });
  expect((await run({ ...simulated, turns_max: 2 })).slots).toEqual({ need: "website" });
});

test("a persona says its own words where nobody asks for a slot, until there are none left", async () => {
  const playbook: Playbook = {
    start: "a",
    states: { a: { say: "Yes?", branch: [{ when: { match: ["stop"] }, go: "@end" }], go: "a" } },
    fallback: { say: "What?", max: 9, go: "@handoff" },
  };
  const said = async (says: string[]) =>
    (await run({ content: { engine: "playbook", playbook }, turns: ["Hello"], persona: { says } })).transcript.map(
      ({ text }) => text,
    );
  expect(await said(["well"])).toEqual(["Hello", "Yes?", "well", "What?"]);
  expect(await said(["stop", "never said"])).toEqual(["Hello", "Yes?", "stop", "@end: completed"]);
});

const MODEL = { engine: "llm", model: {}, instructions: "" } as const;
const usage = { requests: 1, input_tokens: 2, output_tokens: 3 };

test("a model answers, plays the person and judges, by mocks or by whoever has it", async () => {
  const asked: string[] = [];
  const fields: Partial<RunInput> = {
    content: MODEL,
    turns: ["Hi"],
    persona: { goal: "Buy shoes" },
    assert: [{ type: "judge", rule: "It is kind." }],
    mocks: [{ tool: "model", when: { purpose: "judge" }, return: { text: "PASS: kind" } }],
  };
  const said: Record<string, string[]> = { answer: ["Hello", "Sure"], persona: ["Shoes?", "END"] };
  const result = await runConversation(input(fields), async ({ args }) => {
    asked.push(String(args.purpose));
    return { ok: true, value: { text: said[String(args.purpose)]?.shift() ?? "", usage } };
  });
  expect(asked).toEqual(["answer", "persona", "answer", "persona"]);
  expect(result.transcript).toEqual([
    { role: "contact", text: "Hi", turn: 1 },
    { role: "agent", text: "Hello", turn: 1, spoke: "model" },
    { role: "contact", text: "Shoes?", turn: 2 },
    { role: "agent", text: "Sure", turn: 2, spoke: "model" },
  ]);
  expect(result.assertions).toEqual([{ assertion: { type: "judge", rule: "It is kind." }, passed: true, reason: "PASS: kind" }]);
  expect(result.usage).toEqual({ requests: 4, input_tokens: 8, output_tokens: 12 });
});

test("a goal is only for a model: without one a person says its own words", async () => {
  const { transcript } = await run({ turns: ["Hi"], persona: { goal: "Buy", answers: { need: "ads" } }, turns_max: 2 });
  expect(transcript.filter(({ role }) => role === "contact").map(({ text }) => text)).toEqual(["Hi", "ads"]);
});

test("what was read, found and written is told with its turn", async () => {
  const hit = { source_id: "kns_1", title: "Prices", url: null, chunk: 1, quote: "99", score: 1 };
  const playbook: Playbook = {
    start: "a",
    states: {
      a: {
        do: [
          { tool: "search_knowledge", args: { query: "x" } },
          { tool: "lookup_contact" },
          { tool: "http_request", args: { name: "t" } },
        ],
        say: "Done.",
        go: "@end",
      },
    },
  };
  const content = { engine: "playbook", playbook } as const;
  const result = await runConversation(input({ content, unmocked: "simulate" }), async () => ({ ok: true, value: [hit] }));
  expect(result.tool_calls.map(({ name, source, turn }) => [name, source, turn])).toEqual([
    ["search_knowledge", "read", 1],
    ["lookup_contact", "read", 1],
    ["http_request", "simulated", 1],
  ]);
  expect(result.tool_calls[2]?.result).toEqual({ ok: true, value: { status: 200, body: {} } });
  expect(result.hits).toEqual([{ ...hit, turn: 1 }]);
  expect(result.effects).toEqual([{ kind: "message.send", target: "conversation", before: null, after: { text: "Done." } }]);
  expect(result.state).toMatchObject({ from: 0, memory: NO_MEMORY });
  const strict = await runConversation(input({ content, unmocked: "error" }), async () => ({ ok: true, value: [hit] }));
  expect(strict.tool_calls.map(({ name }) => name)).toEqual(["search_knowledge", "lookup_contact", "http_request"]);
  expect(strict.ending?.kind).toBe("handoff");
  expect(strict.effects.at(-1)).toMatchObject({
    kind: "conversation.handoff",
    after: { reason: expect.stringContaining("no mock") },
  });
});

test("mocks are of one tool, and their errors have a code", async () => {
  const content = { engine: "playbook", playbook: calling } as const;
  const result = async (error: { code?: string; detail: string }) =>
    (await run({ content, mocks: [{ tool: "add_tag", error }] })).tool_calls.map(({ result: answer }) => answer);
  expect(await result({ detail: "Full." })).toMatchObject([{ ok: true }, { ok: false, code: "mocked", detail: "Full." }]);
  expect(await result({ code: "full", detail: "Full." })).toMatchObject([{ ok: true }, { code: "full" }]);
  const [answer] = (await run({ content, mocks: [{ tool: "http_request" }] })).tool_calls;
  expect(answer?.result).toEqual({ ok: true, value: {} });
});

test("each assertion holds or does not", async () => {
  const judged = async (...assert: RunInput["assert"]) =>
    (await run({ turns: ["Hi there", "ads", "100", "ada@harbour.example"], assert })).assertions.map(({ passed }) => passed);
  expect(
    await judged(
      { type: "text_matches", phrase: "hi there" },
      { type: "text_matches", phrase: "hi there", value: false },
      { type: "text_matches", phrase: "thank you" },
      { type: "handed_off", value: true },
      { type: "handed_off", value: false },
      { type: "slot", slot: "need", value: "ads" },
      { type: "slot", slot: "need", value: "website" },
      { type: "slot", slot: "gone", value: undefined },
    ),
  ).toEqual([false, true, true, false, true, true, false, false]);
  expect(
    await judged(
      { type: "effect", kind: "lead.create" },
      { type: "effect", kind: "deal.create" },
      { type: "effect", kind: "lead.create", value: false },
      { type: "tool_called", tool: "update_lead" },
      { type: "tool_called", tool: "update_lead", args: { email: "other" } },
      { type: "tool_called", tool: "update_lead", value: false },
      { type: "tool_called", tool: "add_tag", value: false },
    ),
  ).toEqual([true, false, false, true, false, false, true]);
  expect((await run({ turns: ["Hi"], assert: [{ type: "handed_off", value: true }] })).assertions[0]?.passed).toBe(false);
});

test("a value contains what is wanted at any depth", () => {
  expect([contains(null, null), contains({ a: null }, { a: null }), contains(1, 1), contains(1, 2)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect([contains(null, {}), contains(1, {}), contains("x", { length: 1 }), contains({ a: 1 }, { a: { b: 1 } })]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
