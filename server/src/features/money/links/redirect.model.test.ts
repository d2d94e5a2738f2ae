import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "../../../kernel/ids.ts";
import { createSigner } from "../../../platform/crypto/sign.ts";
import { botOf, clickOf, clickToken, locationOf, referrerHost } from "./redirect.model.ts";

const signer = createSigner("a secret key of at least thirty-two characters");
const at_ms = Date.parse("2026-11-02T09:30:00.123Z");
const id = newId("click", at_ms);

describe("a click that is carried", () => {
  test("proves its link and its time", () => {
    const token = clickToken(signer, id, "Spring-Sale");
    expect(token).toMatch(/^clk_[0-9a-z]{26}\.Spring-Sale\.[A-Za-z0-9_-]{22}$/);
    expect(clickOf(signer, token)).toEqual({ id, code_key: "spr1ng-sa1e", clicked_at: new Date(at_ms) });
  });

  test("proves nothing once any character of it is another", () => {
    const token = clickToken(signer, id, "spring-sale");
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(..."abcXYZ019-_.~"), (place, letter) => {
        const forged = token.slice(0, place) + letter + token.slice(place + 1);
        if (forged !== token) expect(clickOf(signer, forged)).toBeNull();
      }),
    );
  });

  test.each(["", "clk_1", id, `${id}.spring-sale`, `${id}.spring-sale.`, "demo-click-1", "a.b.c", "...", "🙂.🙂.🙂"])(
    "is not %j",
    (text) => {
      expect(clickOf(signer, text)).toBeNull();
      const other = createSigner("another secret key of thirty-two characters");
      expect(clickOf(signer, clickToken(other, id, "spring-sale"))).toBeNull();
    },
  );
});

describe("where a link leads", () => {
  const to = (
    destination_url: string,
    query: Record<string, unknown> = {},
    click: string | null = "C",
    campaign: string | null = null,
  ) => locationOf({ destination_url, campaign }, query, click);

  test("is the destination with the click, and what it lacks of sub_id and utm", () => {
    expect(to("https://shop.example/")).toBe("https://shop.example/?click_id=C");
    expect(to("https://shop.example/a?b=1#c")).toBe("https://shop.example/a?b=1&click_id=C#c");
    expect(to("https://shop.example/?", { sub_id: "x y" })).toBe("https://shop.example/?sub_id=x%20y&click_id=C");
    expect(to("https://shop.example/?utm_source=own", { utm_source: "other", utm_medium: "mail" })).toBe(
      "https://shop.example/?utm_source=own&utm_medium=mail&click_id=C",
    );
    expect(to("https://shop.example/", {}, null)).toBe("https://shop.example/");
    expect(to("https://shop.example/", {}, null, "Spring & more")).toBe("https://shop.example/?utm_campaign=Spring%20%26%20more");
    expect(to("https://shop.example/", { utm_campaign: "other" }, null, "Spring")).toBe(
      "https://shop.example/?utm_campaign=other",
    );
  });

  test("leaves the destination's own parameters as they are, byte by byte", () => {
    expect(to("https://shop.example/?q=a%20b+c&sig=%2f%2F")).toBe("https://shop.example/?q=a%20b+c&sig=%2f%2F&click_id=C");
  });

  test("is the host and the path of the destination, whatever the visitor sends", () => {
    const name = fc.oneof(fc.constantFrom("sub_id", "utm_source", "utm_term", "destination_url", "url", "click_id"), fc.string());
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("https://evil.example", "\r\nx: y", "//evil", "#", "&click_id=1"),
    );
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.oneof(value, fc.array(value))),
        fc.constantFrom("", "?a=1", "#f", "?a=1#f"),
        (query, end) => {
          const location = to(`https://shop.example/form${end}`, query);
          expect(location).toMatch(/^[\x21-\x7e]+$/);
          const { origin, pathname, hash, searchParams } = new URL(location);
          expect([origin, pathname, hash]).toEqual(["https://shop.example", "/form", end.endsWith("#f") ? "#f" : ""]);
          expect(searchParams.getAll("click_id")).toEqual(["C"]);
        },
      ),
    );
  });
});

describe("who is not a person", () => {
  const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

  test.each<[object, string | null]>([
    [{ "user-agent": CHROME }, null],
    [{ "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }, "agent"],
    [{ "user-agent": "curl/8.5.0" }, "agent"],
    [{ "user-agent": "facebookexternalhit/1.1" }, "agent"],
    [{ "user-agent": "Slackbot-LinkExpanding 1.0" }, "agent"],
    [{}, "agent"],
    [{ "user-agent": "" }, "agent"],
    [{ "user-agent": CHROME, "sec-purpose": "prefetch;prerender" }, "prefetch"],
    [{ "user-agent": CHROME, purpose: "prefetch" }, "prefetch"],
    [{ "user-agent": CHROME, "x-purpose": "preview" }, "prefetch"],
    [{ "user-agent": CHROME, "x-moz": "prefetch" }, "prefetch"],
  ])("%j: %s", (headers, bot) => {
    expect(botOf(headers as Record<string, string>)).toBe(bot);
  });
});

test.each([
  ["https://News.example/a?b#c", "news.example"],
  ["https://user:secret@news.example:8443/a", "news.example"],
  ["https://news.example", "news.example"],
  ["news.example", null],
  ["https://", null],
  ["android-app://com.example", null],
  [`https://${"a".repeat(254)}/`, null],
])("of the referrer %s the host is kept: %s", (referer, host) => {
  expect(referrerHost({ referer })).toBe(host);
  expect(referrerHost({})).toBeNull();
});

test("a signature proves nothing beyond its claim", () => {
  expect(clickOf(signer, `${clickToken(signer, id, "spring-sale")}.more`)).toBeNull();
  expect(clickOf(signer, clickToken(signer, id, "no"))).toBeNull();
  expect(clickOf(signer, clickToken(signer, newId("contact", at_ms), "spring-sale"))).toBeNull();
});

test("of what a visitor sends, the first value is passed on, up to 100 characters and not where it is empty", () => {
  const to = (query: Record<string, unknown>) =>
    locationOf({ destination_url: "https://shop.example/", campaign: null }, query, null);
  expect(to({ sub_id: "x".repeat(101) })).toBe(`https://shop.example/?sub_id=${"x".repeat(100)}`);
  expect(to({ sub_id: ["a", "b"] })).toBe("https://shop.example/?sub_id=a");
  expect(to({ sub_id: "" })).toBe("https://shop.example/");
});

test("a program is known however long its name is", () => {
  const long = "Mozilla/5.0 ".padEnd(401, "x");
  expect(botOf({ "user-agent": `${long} Googlebot/2.1` })).toBe("agent");
  expect(botOf({ "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", purpose: "fetch" })).toBeNull();
});

test("only the beginning of a referrer is its host, with or without TLS", () => {
  expect(referrerHost({ referer: "http://news.example/" })).toBe("news.example");
  expect(referrerHost({ referer: "x https://news.example/" })).toBeNull();
});
