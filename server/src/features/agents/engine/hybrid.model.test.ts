import { describe, expect, test } from "vitest";
import type { ModelAsk } from "./chat.model.ts";
import { type Answer, type Assistance, NO_MEMORY, type Outcome, type Playbook, type Request, type Turn } from "./model.ts";
import { runTurn } from "./step.model.ts";

const playbook: Playbook = {
  start: "menu",
  slots: { size: { type: "number", ask: "How many?" }, note: { type: "text", min: 5, ask: "Which?" } },
  states: {
    menu: {
      say: "Hello.",
      branch: [
        { when: { hours: "closed" }, go: "late" },
        { when: { match: ["sales"] }, go: "sales" },
        { when: { match: ["support"] }, go: "support" },
      ],
      go: "menu",
    },
    late: { say: "Late.", go: "@end" },
    sales: { say: "Sales: 20 EUR at www.a.example, call +49 30 1.", go: "@end" },
    support: { collect: ["size"], go: "@end" },
    note: { collect: ["note"], go: "@end" },
  },
  interrupts: [{ when: { match: ["note"] }, go: "note" }],
  fallback: { say: "Pardon?", max: 3, go: "@handoff" },
};
const model: Assistance = { engine: "hybrid", instructions: "Be brief.", max_tokens: 200, tools: [], facts: "{}" };

type Say = (request: Request) => unknown;

/** A turn, and what the model was asked in it: its answers are texts, by purpose. */
function take(turn: Partial<Turn>, say: Say): Outcome & { asked: (ModelAsk & { purpose: string })[] } {
  const asked: (ModelAsk & { purpose: string })[] = [];
  const answer = (request: Request): Answer => {
    if (request.effect !== "model") return { ok: true, value: [] };
    asked.push(request.args as never);
    const value = say(request);
    return value instanceof Error ? { ok: false, code: "timeout", detail: "" } : { ok: true, value };
  };
  const values = { "agent.name": "Nora", "account.name": "Harbour" };
  const given = { playbook, model, memory: NO_MEMORY, text: "Hi", now: new Date(0), open: true, seed: "s", values, ...turn };
  const steps = runTurn(given);
  let step = steps.next();
  while (!step.done) step = steps.next(answer(step.value));
  return { ...step.value, asked };
}

const purposeOf = ({ args }: Request) => String(args.purpose);
const saying =
  (texts: Record<string, unknown>): Say =>
  (request) => {
    const text = texts[purposeOf(request)];
    return text instanceof Error
      ? text
      : { text: typeof text === "string" || text === undefined ? (text ?? null) : JSON.stringify(text) };
  };
const at = (state: string, rest: object = {}) => ({ ...NO_MEMORY, state, ...rest });

describe("the words of a playbook", () => {
  test("are said in other words that keep every fact", () => {
    const { messages, spoke, asked, failures } = take({}, saying({ say: { messages: [" Good day! "] } }));
    expect([messages, spoke, failures]).toEqual([["Good day!"], "model", []]);
    expect(asked).toMatchObject([{ purpose: "say", tools: [], max_tokens: 200, deadline_ms: 4_000 }]);
    expect(asked[0]?.messages[0]?.content).toContain("Be brief.");
    expect(JSON.parse(asked[0]?.messages[1]?.content ?? "")).toEqual({ person: "Hi", messages: ["Hello."] });
  });

  test("may be surrounded by others", () => {
    expect(take({}, saying({ say: 'Sure:\n```{"messages": ["Good day"]}```' })).messages).toEqual(["Good day"]);
  });

  const SALES = "Sales: 20 EUR at www.a.example, call +49 30 1.";
  const said = (text: unknown) => take({ memory: at("menu"), text: "sales" }, saying({ say: { messages: [text] } }));

  test.each(["That is 20 EUR (www.a.example), or +49 30 1!", "+49 30 1 or www.a.example: 20"])("%s is the same", (text) => {
    expect(said(text)).toMatchObject({ messages: [text], failures: [] });
  });

  test.each([
    "That is 21 EUR (www.a.example), or +49 30 1!",
    "That is 20 EUR, or +49 30 1!",
    "20 www.a.example +49 30 1 and ada@b.example",
    "20 www.a.example +49 30 1 https://x",
    "",
    "   ",
    7,
    null,
  ])("%j is not: what the playbook says stays", (text) => {
    expect(said(text)).toMatchObject({ messages: [SALES], spoke: "playbook", failures: ["malformed"] });
  });

  test("stay where there are too many, too few or too long ones", () => {
    const stays = (messages: unknown) => take({}, saying({ say: { messages } }));
    for (const messages of [[], ["a", "b"], "Hello", ["x".repeat(4_001)]]) expect(stays(messages).messages).toEqual(["Hello."]);
    expect(stays(["x".repeat(4_000)]).messages).toEqual(["x".repeat(4_000)]);
  });

  test("stay where the model fails or refuses, and the reason is told once", () => {
    expect(take({}, saying({ say: new Error() }))).toMatchObject({ messages: ["Hello."], failures: ["timeout"] });
    expect(take({}, () => ({ text: "no", end: "refusal" }))).toMatchObject({ messages: ["Hello."], failures: ["refusal"] });
    expect(take({}, () => ({ text: "no" }))).toMatchObject({ messages: ["Hello."], failures: ["malformed"] });
    expect(take({}, () => ({ text: "[1]" }))).toMatchObject({ messages: ["Hello."], failures: ["malformed"] });
  });

  test("of questions stay as they are, without asking", () => {
    const { messages, asked } = take({ memory: at("menu"), text: "support" }, saying({}));
    expect([messages, asked]).toEqual([["How many?"], []]);
  });
});

describe("what a person means", () => {
  const asked = { memory: at("support", { awaiting: "size" }), text: "a dozen" };

  test("is read as a value of its slot", () => {
    const outcome = take(asked, saying({ slot: { value: 12 } }));
    expect(outcome.memory.slots).toEqual({ size: 12 });
    expect(outcome.ending?.kind).toBe("end");
    expect(JSON.parse(outcome.asked[0]?.messages[1]?.content ?? "")).toEqual({
      question: "How many?",
      type: "number",
      answer: "a dozen",
    });
    expect(take(asked, saying({ slot: { value: "12" } })).memory.slots).toEqual({ size: 12 });
  });

  test.each([null, ["12"], { a: 12 }, "many"])("is not %j", (value) => {
    expect(take(asked, saying({ slot: { value } })).memory).toMatchObject({ slots: {}, awaiting: "size", retries: 1 });
  });

  test("is not asked of texts, nor of nothing", () => {
    const text = take({ memory: at("note", { awaiting: "note" }), text: "abc" }, saying({ slot: { value: "abcdef" } }));
    expect(text.asked.map(({ purpose }) => purpose)).toEqual(["say"]);
    expect(text.memory.slots).toEqual({});
    expect(take({ ...asked, text: " " }, saying({ slot: { value: 12 } })).memory.slots).toEqual({});
  });

  const chosen = (choice: unknown, text = "money") => take({ memory: at("menu"), text }, saying({ rule: { choice } }));

  test("is one of the rules by words", () => {
    const outcome = chosen(1);
    expect(outcome.visited).toEqual(["sales"]);
    expect(JSON.parse(outcome.asked[0]?.messages[1]?.content ?? "")).toEqual({
      message: "money",
      choices: [
        { number: 1, phrases: ["sales"] },
        { number: 2, phrases: ["support"] },
      ],
    });
    expect(chosen(2).visited).toEqual(["support"]);
  });

  test.each([0, 3, null, "1", 1.5])("is none of them by %j", (choice) => {
    expect(chosen(choice)).toMatchObject({ visited: [], messages: ["Pardon?"] });
  });

  test("is not asked about nothing, nor where a rule holds", () => {
    expect(chosen(1, " ").asked.map(({ purpose }) => purpose)).toEqual(["say"]);
    expect(chosen(1, "support").asked.map(({ purpose }) => purpose)).toEqual([]);
  });
});

test("without a model a playbook asks none", () => {
  expect(take({ model: undefined, memory: at("menu"), text: "money" }, saying({})).asked).toEqual([]);
});
