import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { QUALIFY_LEADS } from "./example.demo.ts";
import { type Answer, type Memory, NO_MEMORY, type Outcome, type Playbook, type Request, type Turn } from "./model.ts";
import { runTurn } from "./step.model.ts";

const NOW = new Date("2026-11-02T09:30:00Z");
const done: Answer = { ok: true, value: {} };

type Asked = (request: Request) => Answer;
const noKnowledge: Asked = ({ tool }) => (tool === "search_knowledge" ? { ok: true, value: [] } : done);

function take(turn: Partial<Turn> & { text: string }, answer: Asked = noKnowledge): Outcome {
  const values = { "agent.name": "Nora" };
  const given = { playbook: QUALIFY_LEADS, memory: NO_MEMORY, now: NOW, open: true, seed: "s", values, ...turn };
  const steps = runTurn(given);
  let step = steps.next();
  while (!step.done) step = steps.next(answer(step.value));
  return step.value;
}

/** The outcomes of what somebody writes, one after the other. */
function converse(texts: readonly string[], given: Partial<Turn> = {}, answer: Asked = noKnowledge): Outcome[] {
  let memory: Memory = NO_MEMORY;
  return texts.map((text) => {
    const outcome = take({ ...given, memory, text }, answer);
    memory = outcome.ending === null ? outcome.memory : NO_MEMORY;
    return outcome;
  });
}

const lastOf = (outcomes: Outcome[]) => outcomes.at(-1) as Outcome;

describe("a playbook", () => {
  test("asks for its slots one after the other, and then does what it says", () => {
    const outcomes = converse(["Hello", "a website please", "about 800 euro", "Write to ada@harbour.example."]);
    expect(outcomes.map(({ messages }) => messages)).toEqual([
      ["Hi, I am Nora.", "Website or ads?"],
      ["Monthly budget in EUR?"],
      ["Where can we write to you?"],
      ["A colleague will call you."],
    ]);
    const { ending, calls, visited, memory } = lastOf(outcomes);
    expect(ending).toEqual({ kind: "handoff", reason: "The playbook hands off." });
    expect(visited).toEqual(["save", "good"]);
    expect(memory.slots).toEqual({ need: "website", budget: 800, email: "ada@harbour.example" });
    expect(calls.map(({ tool, args }) => [tool, args])).toEqual([
      ["update_lead", { email: "ada@harbour.example", notes: "website, 800 EUR" }],
      ["update_lead", { status: "qualified" }],
      ["add_tag", { tag: "hot" }],
    ]);
  });

  test("branches by what it knows, and ends", () => {
    const { messages, ending } = lastOf(converse(["Hi", "ads", "100", "ada@harbour.example"]));
    expect(messages).toEqual(["Thank you! We will write to ada@harbour.example."]);
    expect(ending).toEqual({ kind: "end", outcome: "completed" });
  });

  test("asks again a limited number of times, then gives up", () => {
    const outcomes = converse(["Hi", "ads", "a lot", "really a lot", "you name it"]);
    expect(outcomes[2]?.messages).toEqual(["A number, such as 500."]);
    expect(outcomes[3]?.messages).toEqual(["A number, such as 500."]);
    expect(outcomes[4]?.ending).toMatchObject({ kind: "handoff", reason: expect.stringContaining("not understood") });
  });

  test("is interrupted anywhere by a phrase of whole words, without case and accents", () => {
    expect(lastOf(converse(["Hi", "can I talk to a REAL Pérson?"])).ending?.kind).toBe("handoff");
    expect(lastOf(converse(["Hi", "humanity"])).ending).toBeNull();
  });

  test("answers questions from the knowledge with their source, and asks its own again", () => {
    const hit = { source_id: "kns_1", title: "Prices", url: null, chunk: 1, quote: "From 99 EUR.", score: 0.5 };
    const answer: Asked = ({ tool }) => (tool === "search_knowledge" ? { ok: true, value: [hit] } : done);
    const { messages, hits, ending } = lastOf(converse(["Hi", "ads", "what does it cost?"], {}, answer));
    expect([messages, hits, ending]).toEqual([["From 99 EUR. [1]", "Monthly budget in EUR?"], [hit], null]);
    const poor: Asked = ({ tool }) => (tool === "search_knowledge" ? { ok: true, value: [{ ...hit, score: 0.1 }] } : done);
    expect(lastOf(converse(["Hi", "ads", "what does it cost?"], {}, poor)).messages).toEqual(["A number, such as 500."]);
  });

  test("hands off when a tool refuses", () => {
    const refuse: Asked = ({ tool }) => (tool === "add_tag" ? { ok: false, code: "no_person", detail: "Nobody." } : done);
    const { ending, calls } = lastOf(converse(["Hi", "ads", "900", "ada@harbour.example"], {}, refuse));
    expect(ending).toEqual({ kind: "handoff", reason: "add_tag: Nobody." });
    expect(calls.at(-1)).toMatchObject({ tool: "add_tag", valid: true, answer: { ok: false } });
  });
});

const menu: Playbook = {
  start: "menu",
  states: {
    menu: {
      say: ["Sales or support?", "Support or sales?"],
      branch: [
        { when: { match: ["sales", "buy *"] }, say: "Sales it is.", go: "sales" },
        { when: { all: [{ match: ["support"] }, { hours: "closed" }] }, go: "closed" },
        { when: { match: ["support"] }, go: "@handoff" },
      ],
      go: "menu",
    },
    sales: { do: [{ tool: "http_request", args: { name: "slots", body: { when: "{{vars.day|today}}" } } }], go: "offer" },
    offer: { say: "Free: {{result.http_request.body.first}}", go: "@end" },
    closed: { say: "We are closed.", go: "@end" },
  },
  fallback: { say: "Sales or support, please.", max: 1, go: "@handoff" },
};

describe("a state that listens", () => {
  test("chooses by what the person writes, by hours, and by the fallback", () => {
    const answer: Asked = () => ({ ok: true, value: { status: 200, body: { first: "noon" } } });
    const bought = lastOf(converse(["Hi", "I want to buy shoes"], { playbook: menu }, answer));
    expect(bought.messages).toEqual(["Sales it is.", "Free: noon"]);
    expect(bought.calls[0]?.args).toEqual({ name: "slots", body: { when: "today" } });
    expect(lastOf(converse(["Hi", "support"], { playbook: menu, open: false })).messages).toEqual(["We are closed."]);
    expect(lastOf(converse(["Hi", "support"], { playbook: menu })).ending?.kind).toBe("handoff");
    const lost = converse(["Hi", "hm", "hm"], { playbook: menu });
    expect(lost.map(({ messages, ending }) => [messages.length, ending?.kind])).toEqual([
      [1, undefined],
      [1, undefined],
      [0, "handoff"],
    ]);
  });

  test("varies its words by the seed alone", () => {
    const said = (seed: string) => take({ playbook: menu, text: "Hi", seed }).messages[0];
    const all = Array.from({ length: 40 }, (_, index) => said(`seed ${index}`));
    expect(new Set(all)).toEqual(new Set(["Sales or support?", "Support or sales?"]));
    expect(Array.from({ length: 40 }, (_, index) => said(`seed ${index}`))).toEqual(all);
  });
});

describe("a turn without an end", () => {
  test("is handed off at its limits of states, tools and messages", () => {
    const states = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`s${index}`, { go: index === 29 ? "@end" : `s${index + 1}` }]),
    );
    const reason = (playbook: Playbook) => take({ playbook, text: "Hi" }).ending;
    expect(reason({ start: "s0", states })).toMatchObject({ reason: expect.stringContaining("20 states") });
    const tools = Array.from({ length: 9 }, () => ({ tool: "add_tag", args: { tag: "x" } }));
    expect(reason({ start: "a", states: { a: { do: tools, go: "@end" } } })).toMatchObject({
      reason: expect.stringContaining("8 tools"),
    });
    const talk = Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [`s${index}`, { say: "More.", go: index === 6 ? "@end" : `s${index + 1}` }]),
    );
    const outcome = take({ playbook: { start: "s0", states: talk }, text: "Hi" });
    expect([outcome.messages.length, outcome.ending]).toEqual([
      5,
      { kind: "handoff", reason: expect.stringContaining("5 messages") },
    ]);
  });
});

test("property: the same playbook, messages, answers, seed and clock have the same outcome, byte for byte", () => {
  const texts = fc.array(
    fc.oneof(fc.constantFrom("ads", "website", "500", "ada@harbour.example", "human", "support", "buy it"), fc.string()),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(texts, fc.string(), fc.boolean(), fc.constantFrom(QUALIFY_LEADS, menu), (written, seed, open, playbook) => {
      const frozen = JSON.stringify(playbook);
      const once = JSON.stringify(converse(written, { seed, open, playbook }));
      expect(JSON.stringify(converse(written, { seed, open, playbook }))).toBe(once);
      expect(JSON.stringify(playbook)).toBe(frozen);
    }),
  );
});

describe("a playbook without a fallback", () => {
  const asking: Playbook = {
    start: "a",
    slots: { n: { type: "number", ask: "How many?" } },
    states: {
      a: { collect: ["n"], go: "b" },
      b: { say: "Thanks.", branch: [{ when: { match: ["more"] }, go: "a" }], go: "@end" },
    },
  };

  test("asks twice again, and then hands off", () => {
    const outcomes = converse(["Hi", "some", "few", "many"], { playbook: asking });
    expect(outcomes.map(({ messages }) => messages)).toEqual([["How many?"], ["How many?"], ["How many?"], []]);
    expect(outcomes.map(({ memory }) => memory.retries)).toEqual([0, 1, 2, 0]);
    expect(lastOf(outcomes).ending?.kind).toBe("handoff");
    expect(lastOf(outcomes).memory).toMatchObject({ awaiting: null, retries: 0, misses: 0 });
  });

  test("goes on where nothing that it listens for was said", () => {
    const outcomes = converse(["Hi", "5", "no"], { playbook: asking });
    expect(outcomes[1]?.memory).toMatchObject({ awaiting: null, slots: { n: 5 } });
    expect(lastOf(outcomes).ending).toEqual({ kind: "end", outcome: "completed" });
  });

  test("asks as often as its slot says", () => {
    const slots = { n: { type: "number", ask: "How many?", retries: 0 } } as const;
    expect(lastOf(converse(["Hi", "some"], { playbook: { ...asking, slots } })).ending?.kind).toBe("handoff");
    const three = { n: { ...slots.n, retries: 3 } };
    expect(lastOf(converse(["Hi", "a", "b", "c"], { playbook: { ...asking, slots: three } })).ending).toBeNull();
  });
});

describe("a fallback", () => {
  const patient = (max: number): Playbook => ({
    start: "a",
    slots: { n: { type: "number", ask: "How many?", retries: 9 }, m: { type: "number", ask: "And?", retries: 9 } },
    states: { a: { collect: ["n", "m"], go: "@end" }, lost: { say: "Sorry.", go: "@handoff" } },
    fallback: { say: "Pardon?", max, go: "lost" },
  });

  test("is said before the question again, and leads on after its maximum", () => {
    const outcomes = converse(["Hi", "a", "b"], { playbook: patient(1) });
    expect(outcomes.map(({ messages }) => messages)).toEqual([["How many?"], ["Pardon?", "How many?"], ["Sorry."]]);
  });

  test("counts what was not understood in a row", () => {
    const outcomes = converse(["Hi", "a", "5", "b"], { playbook: patient(1) });
    expect(lastOf(outcomes)).toMatchObject({ messages: ["Pardon?", "And?"], ending: null, memory: { misses: 1, retries: 1 } });
    expect(outcomes[2]?.memory).toMatchObject({ awaiting: "m", retries: 0, misses: 0 });
  });

  test("begins anew after an interrupt", () => {
    const playbook = { ...patient(9), interrupts: [{ when: { match: ["menu"] }, go: "a" }] };
    const { memory } = lastOf(converse(["Hi", "a", "menu"], { playbook }));
    expect(memory).toMatchObject({ awaiting: "n", retries: 0, misses: 0 });
  });
});

describe("answers from the knowledge", () => {
  const hit = { source_id: "kns_1", title: "Prices", url: null, chunk: 1, quote: "From 99 EUR.", score: 0.5 };
  const found: Asked = ({ tool }) => (tool === "search_knowledge" ? { ok: true, value: [hit] } : done);
  const faq = (min_score: number, rest: object = {}): Playbook => ({
    start: "q",
    states: { q: { say: "Ask me.", faq: { min_score }, go: "sorry" }, sorry: { say: "No idea.", go: "@end" } },
    ...rest,
  });

  test("are given where they are good enough, and the state waits for more", () => {
    expect(lastOf(converse(["Hi", "price?"], { playbook: faq(0.5) }, found))).toMatchObject({
      messages: ["From 99 EUR. [1]"],
      ending: null,
    });
    expect(lastOf(converse(["Hi", "price?"], { playbook: faq(0.51) }, found)).messages).toEqual(["No idea."]);
    const fallback = { say: "Pardon?", max: 9, go: "@handoff" };
    expect(lastOf(converse(["Hi", "price?"], { playbook: faq(0.51, { fallback }) }, found)).messages).toEqual(["No idea."]);
  });

  test("are not looked for without words, and for 500 characters at most", () => {
    const asked: Request[] = [];
    const answer: Asked = (request) => {
      asked.push(request);
      return found(request);
    };
    expect(lastOf(converse(["Hi", " "], { playbook: faq(0) }, answer)).messages).toEqual(["No idea."]);
    expect(asked).toEqual([]);
    converse(["Hi", "x".repeat(600)], { playbook: faq(0) }, answer);
    expect(asked.map(({ args }) => args)).toEqual([{ query: "x".repeat(500), limit: 1 }]);
  });

  test("come by the fallback in a state that listens", () => {
    const playbook: Playbook = { ...menu, fallback: { say: "Pardon?", max: 1, go: "@handoff", faq: { min_score: 0.5 } } };
    expect(lastOf(converse(["Hi", "price?"], { playbook }, found))).toMatchObject({
      messages: ["From 99 EUR. [1]"],
      ending: null,
    });
    expect(lastOf(converse(["Hi", "price?"], { playbook }, noKnowledge)).messages).toEqual(["Pardon?"]);
  });

  test("of a tool are hits, too", () => {
    const playbook: Playbook = {
      start: "a",
      states: { a: { do: [{ tool: "search_knowledge", args: { query: "x" } }], go: "@end" } },
    };
    expect(take({ playbook, text: "Hi" }, found).hits).toEqual([hit]);
  });
});

test("a playbook ends or hands off by a tool, with its words", () => {
  const by = (tool: string, args: Record<string, unknown> = {}) =>
    take({
      playbook: { start: "a", states: { a: { do: [{ tool, args }], go: "b" }, b: { say: "Never.", go: "@end" } } },
      text: "Hi",
    });
  expect(by("handoff", { reason: "Angry." })).toMatchObject({ messages: [], ending: { kind: "handoff", reason: "Angry." } });
  expect(by("handoff").ending).toEqual({ kind: "handoff", reason: "The playbook hands off." });
  expect(by("end", { outcome: "sold" }).ending).toEqual({ kind: "end", outcome: "sold" });
  expect(by("end").ending).toEqual({ kind: "end", outcome: "completed" });
});

test("exactly as many messages and states as the limits say are no end", () => {
  const chain = (count: number, say?: string): Playbook => ({
    start: "s1",
    states: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `s${index + 1}`,
        { ...(say === undefined ? {} : { say }), go: index + 1 === count ? "@end" : `s${index + 2}` },
      ]),
    ),
  });
  expect(take({ playbook: chain(20), text: "Hi" }).ending?.kind).toBe("end");
  expect(take({ playbook: chain(21), text: "Hi" }).ending?.kind).toBe("handoff");
  expect(take({ playbook: chain(5, "More."), text: "Hi" }).ending?.kind).toBe("end");
  expect(take({ playbook: chain(6, "More."), text: "Hi" }).ending?.kind).toBe("handoff");
  expect(take({ playbook: chain(5, "{{slot.x}}"), text: "Hi" })).toMatchObject({ messages: [], spoke: null });
});

test("a state that is gone is for a person, and a conversation in one begins again", () => {
  expect(take({ playbook: { start: "gone", states: {} }, text: "Hi" }).ending).toEqual({
    kind: "handoff",
    reason: "The state gone does not exist.",
  });
  expect(take({ text: "Hi", memory: { ...NO_MEMORY, state: "gone" } }).visited).toEqual(["hello"]);
});
