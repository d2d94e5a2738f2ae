import { describe, expect, test } from "vitest";
import type { Exchange, HttpRequest, HttpSender, Load, Loaded } from "../../../platform/net/http-sender.ts";
import type { Net } from "./adapter.ts";
import {
  call,
  checkOf,
  failureOf,
  loadFile,
  objectOf,
  objectsOf,
  readObject,
  sameText,
  succeeded,
  textOf,
  withoutAddress,
} from "./provider.model.ts";

const exchange = (rest: Partial<Exchange> = {}): Exchange => ({
  status: 200,
  error: null,
  timed_out: false,
  retry_after: null,
  text: null,
  duration_ms: 1,
  ...rest,
});
const net = { now: () => new Date("2026-05-01T10:00:00Z") } as Net;
const nothing = { code: null, detail: null };

describe("a call of a provider", () => {
  const asked = async (body?: string) => {
    const requests: HttpRequest[] = [];
    const http = {
      send: async (request: HttpRequest) => {
        requests.push(request);
        return exchange();
      },
    } as unknown as HttpSender;
    await call(http, { url: "https://a.example/x", headers: { a: "1" }, ...(body === undefined ? {} : { body }) });
    return requests[0];
  };

  test("is a POST with a body, whose length is said in bytes", async () => {
    expect(await asked("é")).toMatchObject({
      method: "POST",
      url: new URL("https://a.example/x"),
      headers: { a: "1", "content-length": "2" },
      body: Buffer.from("é"),
    });
  });

  test("is a GET without one", async () => {
    const request = await asked();
    expect(request).toMatchObject({ method: "GET", body: Buffer.alloc(0) });
    expect(request?.headers).toEqual({ a: "1" });
  });
});

describe("a file", () => {
  const bytes = Buffer.from("file");
  const loaded = (rest: Partial<Loaded>) => ({ status: 200, error: null, bytes: null, location: null, ...rest }) as Loaded;
  const load = async (replies: Record<string, Partial<Loaded>>) => {
    const asked: Load[] = [];
    const http = {
      load: async (request: Load) => {
        asked.push(request);
        return loaded(replies[request.url.href] ?? { status: 404 });
      },
    } as unknown as HttpSender;
    const found = await loadFile(http, { url: "https://a.example/1", headers: { key: "secret" }, bytes_max: 9 });
    return { found, asked: asked.map(({ url, headers }) => [url.href, headers]) };
  };
  const key = { key: "secret" };

  test("comes from its address", async () => {
    expect(await load({ "https://a.example/1": { bytes } })).toEqual({ found: bytes, asked: [["https://a.example/1", key]] });
  });

  test("or from where that leads, and secrets go to the first origin alone", async () => {
    const { found, asked } = await load({
      "https://a.example/1": { status: 302, location: "/2" },
      "https://a.example/2": { status: 307, location: "https://b.example/3" },
      "https://b.example/3": { bytes },
    });
    expect(found).toEqual(bytes);
    expect(asked).toEqual([
      ["https://a.example/1", key],
      ["https://a.example/2", key],
      ["https://b.example/3", {}],
    ]);
  });

  test("is none where redirects do not end, or lead nowhere", async () => {
    const endless = await load({ "https://a.example/1": { status: 302, location: "/1" } });
    expect([endless.found, endless.asked.length]).toEqual([null, 4]);
    for (const reply of [
      { status: 302 },
      { status: 302, location: "https://" },
      { status: 404, location: "/2" },
      { status: null, location: "/2" },
      { status: 200, location: "/2" },
    ]) {
      const { found, asked } = await load({ "https://a.example/1": reply });
      expect([found, asked.length]).toEqual([null, 1]);
    }
  });

  test("statuses from 300 to 399 lead on", async () => {
    for (const [status, hops] of [
      [299, 1],
      [300, 2],
      [399, 2],
      [400, 1],
    ] as const)
      expect((await load({ "https://a.example/1": { status, location: "/2" } })).asked.length).toBe(hops);
  });
});

test("a call has succeeded with a status of 200 to 299", () => {
  expect([null, 199, 200, 299, 300].map((status) => succeeded(exchange({ status })))).toEqual([false, false, true, true, false]);
});

describe("the failure of a call", () => {
  test.each([
    [null, "passing"],
    [500, "passing"],
    [503, "passing"],
    [408, "passing"],
    [425, "passing"],
    [429, "passing"],
    [499, "permanent"],
    [400, "permanent"],
    [404, "permanent"],
    [401, "config"],
    [403, "config"],
    [302, "config"],
  ])("of status %s is %s", (status, result) => {
    expect(failureOf(exchange({ status }), nothing, {}, "+4930901820", net)).toMatchObject({
      result,
      code: status === null ? "no_answer" : `http_${status}`,
    });
  });

  test("is what the provider's own code means", () => {
    const codes = { "21610": "opted_out" } as const;
    expect(failureOf(exchange({ status: 400 }), { code: "21610", detail: "Stopped" }, codes, "+49301", net)).toEqual({
      result: "opted_out",
      code: "21610",
      detail: "Stopped",
    });
    expect(failureOf(exchange({ status: 400 }), { code: "1", detail: null }, codes, "+49301", net)).toMatchObject({
      result: "permanent",
      code: "1",
    });
  });

  test("has no class by a code that only every object has", () => {
    expect(failureOf(exchange({ status: 400 }), { code: "constructor", detail: null }, {}, "+49301", net)).toMatchObject({
      result: "permanent",
      code: "constructor",
    });
  });

  test("says what is known, and when to try again", () => {
    const failed = (rest: Partial<Exchange>) => failureOf(exchange(rest), nothing, {}, "+49301", net);
    expect(failed({ status: null, error: "refused" }).result).toBe("passing");
    expect(failed({ status: null, error: "refused" })).toMatchObject({ detail: "refused" });
    expect(failed({ status: null })).toMatchObject({ detail: "no answer" });
    expect(failed({ status: 500 })).toMatchObject({ detail: "the provider answered 500" });
    expect(failed({ status: 429, retry_after: "30" })).toMatchObject({ retry_after_ms: 30_000 });
    expect(failed({ status: 429 })).not.toHaveProperty("retry_after_ms");
  });
});

test("the words of a provider do not repeat the address", () => {
  const cleaned = (text: string, address = "+4930901820") => withoutAddress(text, address);
  expect(cleaned("No +4930901820 or 4930901820 here")).toBe("No the recipient or the recipient here");
  expect(cleaned("x ada@b.example y", "ada@b.example")).toBe("x the recipient y");
  expect(cleaned("1234 is short", "1234")).toBe("1234 is short");
  expect(cleaned("12345 is not", "12345")).toBe("the recipient is not");
  expect(cleaned("+1234 is short", "+1234")).toBe("+1234 is short");
  expect(cleaned("x".repeat(400))).toHaveLength(300);
  expect(cleaned(`${"x".repeat(299)}👍`)).toBe(`${"x".repeat(299)}\ufffd`);
});

test("a test of a channel shows what the provider says", () => {
  expect(checkOf(exchange(), nothing, "Fine.")).toEqual({ ok: true, code: null, detail: "Fine." });
  expect(checkOf(exchange({ status: null, error: "refused" }), nothing, "")).toEqual({
    ok: false,
    code: "no_answer",
    detail: "The provider did not answer: refused.",
  });
  expect(checkOf(exchange({ status: 401 }), nothing, "")).toEqual({
    ok: false,
    code: "http_401",
    detail: "The provider answered 401.",
  });
  expect(checkOf(exchange({ status: 401 }), { code: "20003", detail: "x".repeat(400) }, "")).toEqual({
    ok: false,
    code: "20003",
    detail: "x".repeat(300),
  });
});

test("whatever a provider sends is read without trust", () => {
  expect([readObject('{"a":1}'), readObject("[1]"), readObject("x"), readObject(null), readObject("null")]).toEqual([
    { a: 1 },
    {},
    {},
    {},
    {},
  ]);
  expect([objectOf([1]), objectOf(null), objectOf("x"), objectOf({ a: 1 })]).toEqual([{}, {}, {}, { a: 1 }]);
  expect(objectsOf([{ a: 1 }, 2, null])).toEqual([{ a: 1 }, {}, {}]);
  expect(objectsOf([{}, {}, {}], 2)).toHaveLength(2);
  expect(objectsOf({ length: 1 })).toEqual([]);
  expect([textOf("a"), textOf(7), textOf(""), textOf(true), textOf(null), textOf({})]).toEqual([
    "a",
    "7",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(textOf("a\0\ud800b")).toBe("a\ufffd\ufffdb");
  expect(textOf("abc", 2)).toBe("ab");
  expect(textOf("x".repeat(2_000))).toHaveLength(1_000);
});

test("texts are the same or not", () => {
  expect([sameText("a", "a"), sameText("a", "b"), sameText("a", "ab"), sameText("", "")]).toEqual([true, false, false, true]);
});
