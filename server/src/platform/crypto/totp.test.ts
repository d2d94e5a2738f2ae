import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchingStep, newTotpSecret, randomBase32, totpCode, totpStep, totpUri } from "./totp.ts";

/** The ASCII secret 12345678901234567890 of RFC 6238, in base32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const SKEW = [-1, 0, 1];

describe("a code", () => {
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %i is that of RFC 6238", (seconds, code) => {
    expect(totpCode(RFC_SECRET, totpStep(new Date(seconds * 1000)))).toBe(code);
  });

  test("is accepted one step early or late, no more, and never for a step that was used", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 2 ** 37 }), fc.integer({ min: -4, max: 4 }), (current, off) => {
        const secret = newTotpSecret();
        const now = new Date(current * 30_000 + 15_000);
        const step = current + off;
        const codes = SKEW.map((skew) => totpCode(secret, current + skew));
        fc.pre(new Set([...codes, totpCode(secret, step)]).size === (Math.abs(off) <= 1 ? 3 : 4));
        const code = totpCode(secret, step);
        expect(matchingStep(secret, code, { now, last_step: 0 })).toBe(Math.abs(off) <= 1 ? step : null);
        expect(matchingStep(secret, code, { now, last_step: step })).toBeNull();
      }),
    );
  });

  test("is nothing else than six digits", () => {
    const now = new Date(59_000);
    for (const code of ["", "28708", "2870822", "28708x", "２８７０８２"]) {
      expect(matchingStep(RFC_SECRET, code, { now, last_step: 0 })).toBeNull();
    }
  });
});

test("a secret is 160 random bits in base32, and apps read it from the address", () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(RFC_SECRET, { issuer: "Harbour & Co", account: "nora@northwind.example" }));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Harbour & Co:nora@northwind.example",
  ]);
  expect(uri.searchParams.get("secret")).toBe(RFC_SECRET);
  expect(uri.searchParams.get("issuer")).toBe("Harbour & Co");
});

test("random base32 has the length that was asked for", () => {
  for (let length = 1; length <= 64; length += 1) expect(randomBase32(length)).toHaveLength(length);
});
