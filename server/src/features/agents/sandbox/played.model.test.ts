import { expect, test } from "vitest";
import { type Answer, NO_USAGE, type Request } from "../engine/index.ts";
import { type AskModel, createAskModel, judge, playPersona, type Said } from "./played.model.ts";

const transcript: Said[] = [
  { role: "contact", text: "Hi", turn: 1 },
  { role: "agent", text: "Hello", turn: 1, spoke: "playbook" },
];
const talk = { role: "user", content: "contact: Hi\nagent: Hello" };

test("a model is asked by mocks first, and its cost is added up", async () => {
  const asked: Request[] = [];
  const usage = { requests: 1, input_tokens: 5, output_tokens: 2 };
  const reply: Answer = { ok: true, value: { text: " yes ", usage } };
  const parent = async (request: Request) => {
    asked.push(request);
    return reply;
  };
  const result = { usage: NO_USAGE };
  const ask = createAskModel(() => null, parent, result);
  expect(await ask("judge", [{ role: "user", content: "x" }])).toBe("yes");
  await ask("persona", []);
  expect(result.usage).toEqual({ requests: 2, input_tokens: 10, output_tokens: 4 });
  expect(asked[0]).toEqual({
    effect: "model",
    call: 0,
    tool: "model",
    args: { purpose: "judge", messages: [{ role: "user", content: "x" }], tools: [], max_tokens: 300, deadline_ms: 20_000 },
  });
  const mocked = createAskModel(() => ({ ok: true, value: {} }), parent, result);
  expect(await mocked("judge", [])).toBe("");
  expect(asked).toHaveLength(2);
  expect(result.usage.requests).toBe(2);
});

test("a model that fails says so", async () => {
  const ask = createAskModel(
    () => ({ ok: false, code: "down", detail: "It is down." }),
    async () => ({ ok: true, value: {} }),
    { usage: NO_USAGE },
  );
  await expect(ask("persona", [])).rejects.toThrow("The model for the persona failed: It is down.");
});

const saying = (text: string) => {
  const asked: Parameters<AskModel>[] = [];
  const ask: AskModel = async (...given) => {
    asked.push(given);
    return text;
  };
  return { ask, asked };
};

test("a person that a model plays goes on until the end", async () => {
  const { ask, asked } = saying("Next");
  expect(await playPersona(ask, "Buy shoes", transcript)).toBe("Next");
  expect(asked).toEqual([["persona", [{ role: "system", content: expect.stringContaining("What you want: Buy shoes") }, talk]]]);
  expect(await playPersona(saying("END").ask, "", [])).toBeNull();
  expect(await playPersona(saying("").ask, "", [])).toBeNull();
  expect(await playPersona(saying("The END").ask, "", [])).toBe("The END");
  expect(await playPersona(saying("x".repeat(5_000)).ask, "", [])).toHaveLength(4_000);
});

test("a judgement is what the model begins with", async () => {
  const { ask, asked } = saying("PASS. It was kind.");
  expect(await judge(ask, "It is kind.", transcript)).toEqual({ passed: true, reason: "PASS. It was kind." });
  expect(asked).toEqual([["judge", [{ role: "system", content: expect.stringContaining("It is kind.") }, talk]]]);
  for (const [text, passed] of [
    ["**PASS**", true],
    ["FAIL: no PASS", false],
    ["PASSABLE", false],
    ["It is a PASS", false],
    ["", false],
  ] as const)
    expect((await judge(saying(text).ask, "", [])).passed, text).toBe(passed);
  expect((await judge(saying("x".repeat(5_000)).ask, "", [])).reason).toHaveLength(4_000);
});
