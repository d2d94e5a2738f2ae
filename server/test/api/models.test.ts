import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model, ModelAsk } from "../../src/features/agents/engine/index.ts";
import { connectModel } from "../../src/features/agents/models/index.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createOutbound } from "../../src/platform/net/outbound.ts";
import { completion, type ModelServer, type Says, startModelServer, streamed } from "../harness/model-server.ts";
import { status } from "../harness/receiver.ts";

let server: ModelServer;
const outbound = createOutbound({ egress: "development", baseUrl: () => "http://localhost" });
const settings = { brand: "Tributary" } as Parameters<typeof connectModel>[0]["settings"];
let model: Model;

const connect = (path = "", more = {}) =>
  connectModel(
    { outbound, settings, clock: systemClock },
    { base_url: `${server.origin}${path}`, name: "small-1", api_key: "mk-1", ...more },
  );
const ask = (more: Partial<ModelAsk> = {}): ModelAsk => ({
  messages: [{ role: "user", content: "Hi" }],
  tools: [],
  max_tokens: 100,
  deadline_ms: 60_000,
  ...more,
});

beforeAll(async () => {
  server = await startModelServer();
  model = connect();
});
afterAll(async () => {
  outbound.close();
  await server.close();
});

describe("a model is asked", () => {
  test("at its root, its /v1 or the whole path, with its key, and without a stream", async () => {
    server.follow(() => ({ text: "Hello." }));
    for (const path of ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
      expect(await connect(path)(ask())).toEqual({
        text: "Hello.",
        calls: [],
        usage: { requests: 1, input_tokens: 10, output_tokens: 5 },
        end: "stop",
      });
    expect(server.received.at(-1)?.headers.authorization).toBe("Bearer mk-1");
    expect(server.asked.at(-1)).toEqual({
      model: "small-1",
      messages: [{ role: "user", content: "Hi" }],
      max_tokens: 100,
      stream: false,
    });
    await connect("", { api_key: null, temperature: 0.2 })(ask({ seed: 7 }));
    expect(server.received.at(-1)?.headers.authorization).toBeUndefined();
    expect(server.asked.at(-1)).toMatchObject({ temperature: 0.2, seed: 7 });
  });

  test("with tools and what they said, in the words of the wire", async () => {
    server.follow(() => ({ text: "Done." }));
    const tool = { name: "add_tag", description: "Add a tag", parameters: { type: "object" } };
    const call = { id: "call_0", name: "add_tag", arguments: { tag: "hot" } };
    await model(
      ask({
        tools: [tool],
        messages: [
          { role: "assistant", content: null, calls: [call] },
          { role: "tool", call_id: "call_0", content: "{}" },
        ],
      }),
    );
    expect(server.asked[0]).toMatchObject({
      tools: [{ type: "function", function: tool }],
      messages: [
        { tool_calls: [{ id: "call_0", type: "function", function: { name: "add_tag", arguments: '{"tag":"hot"}' } }] },
        { role: "tool", tool_call_id: "call_0", content: "{}" },
      ],
    });
  });

  test("by the newer name of its limit where it knows only that", async () => {
    const refusal = status(400, {}, '{"error":{"message":"Use max_completion_tokens instead of max_tokens."}}');
    server.follow((asked) =>
      "max_tokens" in asked ? (response) => refusal(response, {} as never, {} as never) : { text: "Hi." },
    );
    expect(await model(ask())).toMatchObject({ text: "Hi." });
    expect(server.asked[1]).toMatchObject({ max_completion_tokens: 100 });
    server.follow(() => (response) => refusal(response, {} as never, {} as never));
    expect(await model(ask())).toMatchObject({ failed: "malformed" });
    expect(server.asked).toHaveLength(2);
  });
});

describe("what it says", () => {
  const calls = [
    { name: "add_tag", arguments: { tag: "größer" } },
    { name: "add_note", arguments: { text: "Two\nlines" } },
  ];
  const cases: [what: string, says: Says, read: object][] = [
    ["a text", { text: "Hällo, wie geht es? 🙂" }, { text: "Hällo, wie geht es? 🙂", calls: [], end: "stop" }],
    [
      "parallel calls",
      { calls },
      { text: null, end: "calls", calls: calls.map((call, index) => ({ id: `call_${index}`, ...call })) },
    ],
    ["a text that is cut off", { text: "And th", finish: "length" }, { text: "And th", end: "length" }],
    ["a refusal", { refusal: "I cannot." }, { end: "refusal" }],
    ["filtered content", { text: "", finish: "content_filter" }, { end: "refusal" }],
    ["broken arguments", { calls: [{ name: "add_tag", arguments: '{"tag": "ho' }] }, { calls: [{ arguments: '{"tag": "ho' }] }],
  ];
  test.each(cases)("is read whole and as a stream: %s", async (_, says, read) => {
    server.follow(() => says);
    expect(await model(ask())).toMatchObject(read);
    server.follow(() => streamed(says));
    expect(await model(ask())).toMatchObject({ ...read, usage: { requests: 1, input_tokens: 10, output_tokens: 5 } });
  });

  test("has nothing that cannot be stored", async () => {
    server.follow(() => ({ text: "a\0b\ud800", calls: [{ name: "add_tag", arguments: { "t\0ag": ["x\0"] } }] }));
    expect(await model(ask())).toMatchObject({ text: "ab\ufffd", calls: [{ arguments: { tag: ["x"] } }] });
  });
});

describe("a model that fails says why", () => {
  const raw = (code: number, body: string, headers = {}) => {
    const answer = status(code, headers, body);
    server.follow(() => (response) => answer(response, {} as never, {} as never));
  };
  const failedBy = async (more: Partial<ModelAsk> = {}) => {
    const reply = await model(ask(more));
    return "failed" in reply ? reply.failed : "answered";
  };

  test("what is no completion is malformed: another schema, no JSON, half of it, a stream that broke off", async () => {
    const half = completion({ text: "Hello." }).slice(0, -20);
    const wrong = [
      '{"choices": []}',
      '{"choices": [{"message": {"content": 7}}]}',
      '{"choices": [{"message": {"tool_calls": [{}]}}]}',
    ];
    for (const body of ["", "Hello.", "[]", "null", half, ...wrong]) {
      raw(200, body);
      expect([body, await failedBy()]).toEqual([body, "malformed"]);
    }
    server.follow(() => streamed({ text: "Hello." }, false));
    expect(await failedBy()).toBe("malformed");
    raw(404, "not found");
    expect(await failedBy()).toBe("malformed");
  });

  test("a key that is refused, an address that nobody answers, and an answer that does not come", async () => {
    raw(401, "{}");
    expect(await failedBy()).toBe("auth");
    expect(server.asked).toHaveLength(1);
    const nobody = connectModel(
      { outbound, settings, clock: systemClock },
      { base_url: "http://127.0.0.1:1", name: "x", api_key: null },
    );
    expect(await nobody(ask())).toMatchObject({ failed: "down" });
    server.follow(() => () => undefined);
    expect(await failedBy({ deadline_ms: 50 })).toBe("timeout");
  });

  test("what passes is tried twice again, after the time that the model names, but never beyond the deadline", async () => {
    raw(503, "");
    expect([await failedBy(), server.asked.length]).toEqual(["down", 3]);
    raw(429, "{}", { "retry-after": "0" });
    expect([await failedBy(), server.asked.length]).toEqual(["limit", 3]);
    raw(429, "{}", { "retry-after": "3600" });
    expect([await failedBy(), server.asked.length]).toEqual(["limit", 1]);
    const busy = status(429, { "retry-after": "0" }, "{}");
    server.follow((_, count) => (count < 3 ? (response) => busy(response, {} as never, {} as never) : { text: "At last." }));
    expect(await model(ask())).toMatchObject({ text: "At last." });
  });

  test("private addresses are reached only where the egress allows it", async () => {
    const strict = createOutbound({ egress: "strict", baseUrl: () => "http://localhost" });
    const asked = server.received.length;
    const guarded = connectModel(
      { outbound: strict, settings, clock: systemClock },
      { base_url: server.origin, name: "x", api_key: null },
    );
    expect(await guarded(ask())).toMatchObject({ failed: "down" });
    expect(server.received).toHaveLength(asked);
    strict.close();
  });
});
