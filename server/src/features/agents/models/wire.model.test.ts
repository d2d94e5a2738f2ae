import { describe, expect, test } from "vitest";
import type { ModelAsk } from "../engine/index.ts";
import { completionsUrl, readReply, requestBody } from "./wire.model.ts";

test.each([
  ["https://a.example", "https://a.example/v1/chat/completions"],
  ["https://a.example/", "https://a.example/v1/chat/completions"],
  ["https://a.example/v1", "https://a.example/v1/chat/completions"],
  ["https://a.example/v1//", "https://a.example/v1/chat/completions"],
  ["https://a.example/openai/v2/?k=1", "https://a.example/openai/v2/chat/completions?k=1"],
  ["https://a.example/v1/chat/completions", "https://a.example/v1/chat/completions"],
])("%s is asked at %s", (base, url) => {
  expect(completionsUrl(base).href).toBe(url);
});

describe("a request", () => {
  const ask = (rest: Partial<ModelAsk> = {}): ModelAsk => ({ messages: [], tools: [], max_tokens: 9, deadline_ms: 1, ...rest });

  test("says only what was set", () => {
    expect(requestBody("m", undefined, ask(), "max_tokens")).toEqual({ model: "m", messages: [], max_tokens: 9, stream: false });
    const tool = { name: "t", description: "d", parameters: {} };
    expect(requestBody("m", 0, ask({ tools: [tool], seed: 0 }), "max_completion_tokens")).toEqual({
      model: "m",
      messages: [],
      tools: [{ type: "function", function: tool }],
      max_completion_tokens: 9,
      temperature: 0,
      seed: 0,
      stream: false,
    });
  });

  test("has its messages in the form of the wire", () => {
    const { messages } = requestBody(
      "m",
      undefined,
      ask({
        messages: [
          { role: "system", content: "s" },
          { role: "user", content: "u" },
          { role: "assistant", content: "a" },
          {
            role: "assistant",
            content: null,
            calls: [
              { id: "1", name: "t", arguments: { a: 1 } },
              { id: "2", name: "t", arguments: "raw" },
            ],
          },
          { role: "tool", call_id: "1", content: "r" },
        ],
      }),
      "max_tokens",
    ) as { messages: object[] };
    expect(messages).toEqual([
      { role: "system", content: "s" },
      { role: "user", content: "u" },
      { role: "assistant", content: "a" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "1", type: "function", function: { name: "t", arguments: '{"a":1}' } },
          { id: "2", type: "function", function: { name: "t", arguments: "raw" } },
        ],
      },
      { role: "tool", tool_call_id: "1", content: "r" },
    ]);
  });
});

const whole = (message: unknown, rest: object = {}, usage?: unknown) =>
  JSON.stringify({ choices: [{ message, ...rest }], usage });
const NONE = { requests: 1, input_tokens: 0, output_tokens: 0 };

describe("a reply that came whole", () => {
  test("has a text and its cost", () => {
    expect(readReply(whole({ content: "Hi" }, { finish_reason: "stop" }, { prompt_tokens: 5, completion_tokens: 2 }))).toEqual({
      text: "Hi",
      calls: [],
      usage: { requests: 1, input_tokens: 5, output_tokens: 2 },
      end: "stop",
    });
    expect(readReply(whole({}))).toEqual({ text: null, calls: [], usage: NONE, end: "stop" });
  });

  test("of which the cost is unknown costs a request", () => {
    for (const prompt_tokens of [-1, 1.5, "7", null]) expect(readReply(whole({}, {}, { prompt_tokens }))?.usage).toEqual(NONE);
    expect(readReply(whole({}, {}, { prompt_tokens: 0, completion_tokens: 1 }))?.usage.output_tokens).toBe(1);
  });

  test("says how it ended", () => {
    const end = (message: object, rest: object = {}) => readReply(whole(message, rest))?.end;
    const tool_calls = [{ function: { name: "t" } }];
    expect(end({ refusal: "no" }, { finish_reason: "stop" })).toBe("refusal");
    expect(end({ refusal: "" })).toBe("stop");
    expect(end({ refusal: 7 })).toBe("stop");
    expect(end({ content: "x" }, { finish_reason: "content_filter" })).toBe("refusal");
    expect(end({ content: "x" }, { finish_reason: "length" })).toBe("length");
    expect(end({ tool_calls }, { finish_reason: "length" })).toBe("length");
    expect(end({ tool_calls }, { finish_reason: "stop" })).toBe("calls");
  });

  test("has the tools that it wants, with their arguments as JSON where they are that", () => {
    const calls = (...given: unknown[]) => readReply(whole({ tool_calls: given }))?.calls;
    const call = (args?: unknown, id?: unknown) => ({ id, function: { name: "t", arguments: args } });
    expect(calls(call('{"a":1}', "x"), call("", ""), call(" "), call("no JSON", 7), call({ a: 2 }), call())).toEqual([
      { id: "x", name: "t", arguments: { a: 1 } },
      { id: "call_1", name: "t", arguments: {} },
      { id: "call_2", name: "t", arguments: {} },
      { id: "call_3", name: "t", arguments: "no JSON" },
      { id: "call_4", name: "t", arguments: { a: 2 } },
      { id: "call_5", name: "t", arguments: {} },
    ]);
    for (const broken of [{ function: { name: "" } }, { function: {} }, {}, null, { function: { name: 7 } }])
      expect(calls(broken)).toBeUndefined();
  });

  test("can be stored", () => {
    expect(readReply(whole({ content: "a\0b\ud800" }))?.text).toBe("ab\ufffd");
    const args = JSON.stringify({ "k\0": ["v\0", { n: "\0" }] });
    expect(readReply(whole({ tool_calls: [{ function: { name: "t", arguments: args } }] }))?.calls[0]?.arguments).toEqual({
      k: ["v", { n: "" }],
    });
  });

  test.each([
    "",
    "no JSON",
    "[]",
    "{}",
    '{"choices":[]}',
    '{"choices":{}}',
    '{"choices":[{}]}',
    '{"choices":[7]}',
    whole(7),
    whole({ content: 7 }),
  ])("is none: %s", (body) => {
    expect(readReply(body)).toBeNull();
  });

  test("may be surrounded by spaces", () => {
    expect(readReply(` \n${whole({ content: "Hi" })}\n`)?.text).toBe("Hi");
  });
});

describe("a reply that came as a stream", () => {
  const event = (delta: object, rest: object = {}) => `data: ${JSON.stringify({ choices: [{ delta, ...rest }] })}\n\n`;
  const DONE = "data: [DONE]\n\n";

  test("is its pieces one after the other", () => {
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } })}\n\n`;
    const body = `${event({ content: "Hel" })}: ping\r\nevent: x\r\n${event({ content: "lo" }, { finish_reason: "stop" })}${usage}data:\n\n${DONE}`;
    expect(readReply(body)).toEqual({
      text: "Hello",
      calls: [],
      usage: { requests: 1, input_tokens: 3, output_tokens: 4 },
      end: "stop",
    });
  });

  test("begins with anything that streams begin with", () => {
    for (const start of [": ok\n", "event: message\n", " \n"])
      expect(readReply(`${start}${event({ content: "x" })}${DONE}`)?.text).toBe("x");
  });

  test("has the calls of its pieces, by their index or one after the other", () => {
    const part = (index: number | undefined, name: string | undefined, args: string, id?: string) => ({
      tool_calls: [{ index, id, function: { name, arguments: args } }],
    });
    const body = `${event(part(0, "a", '{"x":', "i0"))}${event(part(1, "b", "{}", "i1"))}${event(part(0, undefined, "1}", "other"))}${DONE}`;
    expect(readReply(body)).toMatchObject({
      end: "calls",
      calls: [
        { id: "i0", name: "a", arguments: { x: 1 } },
        { id: "i1", name: "b", arguments: {} },
      ],
    });
    const unnumbered = `${event(part(undefined, "a", "{}"))}${event(part(undefined, "b", "{}"))}${DONE}`;
    expect(readReply(unnumbered)?.calls.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("may be refused, and may end by its finish reason alone", () => {
    expect(readReply(`${event({ refusal: "N" })}${event({ refusal: "o" })}${DONE}`)).toMatchObject({
      text: null,
      end: "refusal",
    });
    expect(readReply(event({ content: "Hi" }, { finish_reason: "length" }))).toMatchObject({ text: "Hi", end: "length" });
    expect(readReply(`${event({ content: "Hi" }, { finish_reason: "length" })}${event({ content: 7 })}`)?.end).toBe("length");
  });

  test("that broke off is none", () => {
    expect(readReply(event({ content: "Hel" }))).toBeNull();
    expect(readReply(`${event({ content: "Hel" })}data: {"choi`)).toBeNull();
    expect(readReply(`data: 7\n${DONE}`)).toBeNull();
  });
});
