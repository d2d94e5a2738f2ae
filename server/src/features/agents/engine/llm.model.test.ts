import { describe, expect, test } from "vitest";
import type { ModelAsk } from "./chat.model.ts";
import { type Answer, type Assistance, type Memory, NO_MEMORY, type Outcome, type Request, type Turn } from "./model.ts";
import { runTurn } from "./step.model.ts";

const model: Assistance = {
  engine: "llm",
  instructions: "Sell shoes.",
  max_tokens: 300,
  tools: [{ name: "add_tag", description: "", parameters: {} }],
  facts: '{"contact":{"name":"Ada"}}',
};

type Reply =
  | { text?: string | null; calls?: { id?: string; name: string; arguments?: unknown }[]; end?: string; usage?: object }
  | Error
  | "broken";

/** A turn that a model decides: its replies one after the other, the last one again and again. */
function take(
  replies: Reply[],
  turn: Partial<Turn> = {},
  tool: (request: Request) => Answer = () => ({ ok: true, value: { done: 1 } }),
) {
  const asked: (ModelAsk & { purpose: string })[] = [];
  const used: Request[] = [];
  const answer = (request: Request): Answer => {
    if (request.effect !== "model") {
      used.push(request);
      return tool(request);
    }
    asked.push(request.args as never);
    const reply = replies[Math.min(asked.length, replies.length) - 1];
    return reply instanceof Error ? { ok: false, code: "down", detail: "" } : { ok: true, value: reply };
  };
  const values = { "agent.name": "Nora", "account.name": "Harbour" };
  const base = {
    playbook: { start: "", states: {} },
    model,
    memory: NO_MEMORY,
    text: "Hi",
    now: new Date("2026-05-01T10:20:30Z"),
  };
  const steps = runTurn({ ...base, open: true, seed: "s", values, ...turn });
  let step = steps.next();
  while (!step.done) step = steps.next(answer(step.value));
  return { ...(step.value as Outcome), asked, used };
}

const tag = (name = "vip") => ({ id: "c1", name: "add_tag", arguments: { tag: name } });
const roles = (ask: ModelAsk | undefined) => ask?.messages.map(({ role }) => role);

describe("a model that answers", () => {
  test("is told who it is, what it knows and what was written", () => {
    const { messages, spoke, ending, asked, memory, usage } = take([
      { text: " Hello! ", usage: { input_tokens: 5, output_tokens: 2 } },
    ]);
    expect([messages, spoke, ending]).toEqual([["Hello!"], "model", null]);
    expect(asked).toMatchObject([{ purpose: "answer", max_tokens: 300, deadline_ms: 20_000, tools: model.tools }]);
    const [system, user, ...others] = asked[0]?.messages ?? [];
    expect([user, others]).toEqual([{ role: "user", content: "Hi" }, []]);
    for (const part of ["You are Nora and answer for Harbour.", "Sell shoes.", "2026-05-01T10:20Z", model.facts])
      expect(system?.content).toContain(part);
    expect(system?.content).not.toContain("What tools answered before");
    expect(memory.chat).toEqual([
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello!" },
    ]);
    expect(usage).toEqual({ requests: 1, input_tokens: 5, output_tokens: 2 });
  });

  test("remembers the chat and what tools have answered", () => {
    const chat: Memory["chat"] = [{ role: "user", content: "Before" }];
    const { asked, memory } = take([{ text: "Yes" }], { memory: { ...NO_MEMORY, chat, results: { add_tag: 1 } } });
    expect(roles(asked[0])).toEqual(["system", "user", "user"]);
    expect(asked[0]?.messages[0]?.content).toContain('What tools answered before: {"add_tag":1}');
    expect(memory.chat).toHaveLength(3);
  });

  test("remembers the end of a long chat", () => {
    const chat = (count: number, length: number) =>
      Array.from({ length: count }, () => ({ role: "user" as const, content: "x".repeat(length) }));
    const after = (given: NonNullable<Memory["chat"]>) =>
      take([{ text: "Yes" }], { memory: { ...NO_MEMORY, chat: given } }).memory.chat;
    expect(after(chat(38, 1))).toHaveLength(40);
    expect(after(chat(39, 1))).toHaveLength(40);
    expect(after(chat(39, 1))?.slice(-2)).toEqual([
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Yes" },
    ]);
    expect(after([...chat(1, 19_995)])).toHaveLength(3);
    expect(after([...chat(1, 19_996)])).toHaveLength(2);
    expect(after(chat(3, 9_000))).toHaveLength(4);
  });

  test("says as much as fits a message of every channel", () => {
    expect(take([{ text: `${"x".repeat(1_499)}👍` }]).messages).toEqual([`${"x".repeat(1_499)}\ufffd`]);
  });
});

describe("a model that uses tools", () => {
  test("is told what they say, and then answers", () => {
    const { messages, asked, calls, memory, ending } = take([{ text: "Wait", calls: [tag()] }, { text: "Done" }]);
    expect([messages, ending]).toEqual([["Done"], null]);
    expect(roles(asked[0])).toEqual(["system", "user"]);
    expect(asked[1]?.messages.slice(2)).toEqual([
      { role: "assistant", content: "Wait", calls: [tag()] },
      { role: "tool", call_id: "c1", content: '{"ok":true,"value":{"done":1}}' },
    ]);
    expect(calls).toMatchObject([{ call: 1, tool: "add_tag", valid: true }]);
    expect(memory.results).toEqual({ add_tag: { done: 1 } });
  });

  test("sees the beginning of long results", () => {
    const { asked } = take([{ calls: [tag()] }, { text: "Done" }], {}, () => ({ ok: true, value: "x".repeat(9_000) }));
    expect(asked[1]?.messages[3]?.content).toHaveLength(8_000);
  });

  test("keeps what the knowledge has, and nothing of what was refused", () => {
    const search = { id: "c1", name: "search_knowledge", arguments: { query: "prices" } };
    const found = take([{ calls: [search] }, { text: "Done" }], {}, () => ({ ok: true, value: [{ quote: "99" }, "x"] }));
    expect(found.hits).toEqual([{ quote: "99" }]);
    const refused = take([{ calls: [tag()] }, { text: "Done" }], {}, () => ({ ok: false, code: "no_person", detail: "Nobody." }));
    expect([refused.memory.results, refused.messages]).toEqual([{}, ["Done"]]);
  });

  test("ends or hands off by them, with its last words", () => {
    const by = (name: string, args: object, text: string | null = "Bye") => take([{ text, calls: [{ name, arguments: args }] }]);
    expect(by("end", { outcome: "sold" })).toMatchObject({ messages: ["Bye"], ending: { kind: "end", outcome: "sold" } });
    expect(by("end", {}).ending).toEqual({ kind: "end", outcome: "completed" });
    expect(by("handoff", { reason: "angry" })).toMatchObject({ ending: { kind: "handoff", reason: "angry" } });
    expect(by("handoff", {}, null)).toMatchObject({ messages: [], ending: { kind: "handoff", reason: "The model hands off." } });
  });

  test("goes on where an end is refused", () => {
    const refused = take([{ text: "Bye", calls: [{ name: "end", arguments: {} }] }, { text: "Still here" }], {}, () => ({
      ok: false,
      code: "tool_off",
      detail: "",
    }));
    expect([refused.ending, refused.messages]).toEqual([null, ["Still here"]]);
  });

  test("wrongly once is told so, and handed off the second time", () => {
    for (const wrong of [
      { name: "fly" },
      { name: "add_tag", arguments: {} },
      { name: "add_tag", arguments: "no JSON" },
      { name: "add_tag", arguments: [1] },
    ]) {
      const once = take([{ calls: [wrong] }, { text: "Sorry" }]);
      expect([once.ending, once.messages]).toEqual([null, ["Sorry"]]);
      expect(once.calls).toMatchObject([{ call: 1, valid: false, answer: { ok: false, code: "invalid_arguments" } }]);
      expect(once.used).toEqual([]);
      const twice = take([{ calls: [wrong] }]);
      expect(twice.ending).toEqual({ kind: "handoff", reason: "The model used tools wrongly, and did so again." });
      expect(twice.asked).toHaveLength(2);
    }
  });

  test("has limits of arguments, tools and questions", () => {
    const note = (length: number) => ({ name: "add_note", arguments: { text: "x".repeat(length) } });
    expect(take([{ calls: [note(10_000)] }, { text: "Done" }]).calls[0]?.valid).toBe(true);
    expect(
      take([{ calls: [{ name: "update_contact", arguments: { custom: { a: "x".repeat(20_000) } } }] }, { text: "Done" }])
        .calls[0],
    ).toMatchObject({ valid: false, args: {} });
    const many = take([{ text: "Wait", calls: Array.from({ length: 9 }, () => tag()) }]);
    expect([many.used.length, many.ending?.kind, many.messages]).toEqual([8, "handoff", []]);
    expect(many.ending).toMatchObject({ reason: expect.stringContaining("8 tools") });
    const endless = take([{ calls: [tag()] }]);
    expect([endless.asked.length, endless.ending]).toEqual([
      6,
      { kind: "handoff", reason: "The turn has asked the model 6 times." },
    ]);
    expect(take([{ calls: [{ name: "x".repeat(100) }] }, { text: "Done" }]).calls[0]?.tool).toHaveLength(64);
  });
});

describe("a model that fails", () => {
  test.each<[Reply, string]>([
    [new Error(), "The model failed: down."],
    ["broken", "The model failed: malformed."],
    [{ text: 7 } as never, "The model failed: malformed."],
    [{ calls: [{}] } as never, "The model failed: malformed."],
    [{ calls: [null] } as never, "The model failed: malformed."],
    [{ calls: "x" } as never, "The model failed: malformed."],
    [{ text: "No", end: "refusal" }, "The model refused to answer."],
    [{ text: "Half of", end: "length" }, "The answer of the model was cut off."],
    [{ text: " " }, "The model had no answer."],
    [{}, "The model had no answer."],
  ])("%j hands off: %s", (reply, reason) => {
    const { messages, ending, spoke } = take([reply]);
    expect([messages, ending, spoke]).toEqual([[], { kind: "handoff", reason }, null]);
  });

  test("says so, and what it has cost", () => {
    expect(take([{ text: "No", end: "refusal" }])).toMatchObject({ failures: ["refusal"], usage: { requests: 1 } });
    expect(take([new Error()])).toMatchObject({ failures: ["down"], usage: { requests: 0 } });
    expect(take([{ calls: [tag()] }, { text: "Done" }]).usage.requests).toBe(2);
  });

  test("calls without an id get one", () => {
    const { asked } = take([{ calls: [{ name: "add_tag", arguments: { tag: "a" } }, { name: "end_it" }] }, { text: "Done" }]);
    expect(asked[1]?.messages.slice(3)).toMatchObject([{ call_id: "call_0" }, { call_id: "call_1" }]);
  });
});
