import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf as refused } from "../../../../test/harness/refusal.ts";
import { Refusal } from "../../../kernel/errors.ts";
import { CODE_PATTERN, checkDestination, codeKey, type DestinationRules, randomCode } from "./model.ts";

describe("a code", () => {
  test("is the same in any case and with look-alikes", () => {
    expect(codeKey("Spring-Sale")).toBe("spr1ng-sa1e");
    for (const same of ["SPRING-SALE", "spr1ng-sale", "sprlng-sa1e", "SPRlNG-SAlE"]) expect(codeKey(same)).toBe("spr1ng-sa1e");
    expect(codeKey("cool")).toBe(codeKey("C00L"));
    expect(codeKey("cool")).not.toBe(codeKey("cold"));
  });

  test.each(["", "abc", "a".repeat(33), "a_bc", "a/bc", "añbc", "ab c", "abc\n", "ⅼⅼⅼⅼ"])("is not %j", (text) => {
    expect(codeKey(text)).toBeNull();
  });

  test("that the API accepts has a key, and its key is its own key", () => {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(CODE_PATTERN)), (code) => {
        const key = codeKey(code) ?? "";
        expect(key).not.toBe("");
        expect(codeKey(key)).toBe(key);
      }),
    );
  });

  test("that is made here has nothing to confuse", () => {
    const codes = Array.from({ length: 200 }, randomCode);
    expect(codes.filter((code) => codeKey(code) !== code || !/^[a-z0-9]{8}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(200);
  });
});

describe("a destination", () => {
  const RULES: DestinationRules = { hosts: [], local_http: false, base_url: "https://go.example" };
  const refusalOf = (text: string, rules: Partial<DestinationRules> = {}) => {
    try {
      checkDestination(text, { ...RULES, ...rules });
      return null;
    } catch (error) {
      return error instanceof Refusal ? error.explanation.meta?.reason : error;
    }
  };

  test("is stored as browsers read it", () => {
    expect(checkDestination(" https://SHOP.example/a b?x=ü#y ", RULES)).toBe("https://shop.example/a%20b?x=%C3%BC#y");
    expect(checkDestination("https://bücher.example", RULES)).toBe("https://xn--bcher-kva.example/");
  });

  test.each([
    ["/pricing", "not_a_url"],
    ["//evil.example", "not_a_url"],
    ["shop.example", "not_a_url"],
    ["https://", "not_a_url"],
    ["http://shop.example/", "not_https"],
    ["http://localhost/", "not_https"],
    ["javascript:alert(1)", "not_https"],
    ["data:text/html,x", "not_https"],
    ["ftp://shop.example/", "not_https"],
    ["https://user@shop.example/", "credentials"],
    ["https://shop.example:secret@evil.example/", "credentials"],
    ["https://shop.example\\@evil.example/", null],
    ["https:\\\\user@evil.example", "credentials"],
    ["https://shop.example/?click_id=1", "click_id"],
    ["https://go.example/r/other", "loop"],
    ["https://go.example/pay/other", null],
    [`https://shop.example/${"a".repeat(2_000)}`, "too_long"],
  ])("%s is refused with %s", (text, reason) => {
    expect(refusalOf(text)).toBe(reason);
  });

  test("is within the hosts of the programme, where it has some", () => {
    const hosts = ["shop.example", "blog.example.org"];
    for (const text of ["https://shop.example", "https://www.shop.example/x", "https://SHOP.EXAMPLE:443/"])
      expect(refusalOf(text, { hosts })).toBeNull();
    for (const host of [
      "evilshop.example",
      "shop.example.evil.example",
      "example.org",
      "shop.example@evil.example",
      "xshop.example",
      "shop.example.",
    ])
      expect(refusalOf(`https://${host}/`, { hosts })).not.toBeNull();
  });

  test("may be on this machine without https, for development", () => {
    expect(refusalOf("http://127.0.0.1:8080/form", { local_http: true })).toBeNull();
    expect(refusalOf("http://shop.example/", { local_http: true })).toBe("not_https");
    expect(refusalOf("http://127.0.0.1.evil.example/", { local_http: true })).toBe("not_https");
  });
});

test.each([
  ["https://:secret@shop.example/", "credentials"],
  ["https://shop.example/r/other", null],
  ["ftp://127.0.0.1/", "not_https"],
  [`https://shop.example/${"a".repeat(1_979)}`, null],
  [`https://shop.example/${"a".repeat(1_980)}`, "too_long"],
])("a destination such as %s is refused with %s", (text, reason) => {
  const rules = { hosts: [], local_http: true, base_url: "https://go.example" };
  expect(refused(() => checkDestination(text, rules))?.meta.reason ?? null).toBe(reason);
});
