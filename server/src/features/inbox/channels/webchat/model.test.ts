import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "../../../../kernel/errors.ts";
import { createSigner } from "../../../../platform/crypto/sign.ts";
import type { WebchatChannel, WebchatConfig } from "./adapter.ts";
import {
  isIdentified,
  newVisitor,
  newVisitorToken,
  readVisitorToken,
  requireOrigin,
  VISITOR_TOKEN_MS,
  visitorOfUser,
} from "./model.ts";

const NOW = new Date("2026-11-02T09:30:00Z");
const signer = createSigner("a secret key of the tests");
const channel = (id = "chn_1", config: WebchatConfig = {}): WebchatChannel => ({
  partner_id: "par_1",
  id,
  account_id: "cli_1",
  kind: "webchat",
  status: "active",
  config,
  secrets: { identity_secret: "identity-secret-1" },
  token: "0Zk3dQ9sVbX2a",
  per_minute: 60,
  version: 1,
});

describe("the token of a visitor", () => {
  const visitor = newVisitor(NOW);
  const { token } = newVisitorToken(signer, channel(), visitor, NOW);

  test("names the visitor, until it is too old", () => {
    expect(readVisitorToken(signer, channel(), token, NOW)).toEqual(visitor);
    const last = new Date(NOW.getTime() + VISITOR_TOKEN_MS - 1_000);
    expect(readVisitorToken(signer, channel(), token, last)).toEqual(visitor);
    expect(readVisitorToken(signer, channel(), token, new Date(last.getTime() + 1_000))).toBeNull();
  });

  test("holds for one channel, one epoch and one key of the service", () => {
    expect(readVisitorToken(signer, channel("chn_2"), token, NOW)).toBeNull();
    expect(readVisitorToken(signer, channel("chn_1", { epoch: 1 }), token, NOW)).toBeNull();
    expect(readVisitorToken(createSigner("another key"), channel(), token, NOW)).toBeNull();
  });

  test("is refused with any character changed, and whatever else is sent instead", () => {
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(..."Aa0.-_"), (at, character) => {
        const forged = token.slice(0, at) + character + token.slice(at + 1);
        if (forged !== token) expect(readVisitorToken(signer, channel(), forged, NOW)).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readVisitorToken(signer, channel(), text, NOW)).toBeNull();
      }),
    );
  });

  test("brings back any user id as it was", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 100 }), (user_id) => {
        const user = visitorOfUser(user_id);
        const made = newVisitorToken(signer, channel(), user, NOW);
        expect(readVisitorToken(signer, channel(), made.token, NOW)).toEqual(user);
        expect(user.external_id).toBe(user_id);
      }),
    );
  });
});

test("a user is who the account's own site says, by the hash of the id under the identity secret", () => {
  const hash = createHmac("sha256", "identity-secret-1").update("4711").digest("hex");
  expect(isIdentified(channel(), "4711", hash)).toBe(true);
  expect(isIdentified(channel(), "4711", hash.toUpperCase())).toBe(true);
  expect(isIdentified(channel(), "4712", hash)).toBe(false);
  expect(isIdentified(channel(), "4711", "")).toBe(false);
  // A channel that a snapshot brought has no secret yet.
  expect(isIdentified({ ...channel(), secrets: {} } as WebchatChannel, "4711", hash)).toBe(false);
});

describe("the pages of a chat", () => {
  const listed = channel("chn_1", { origins: ["https://shop.example", "http://localhost:3000"] });
  const codeOf = (origin: string | undefined, site?: string) => {
    try {
      requireOrigin(listed, { origin, site }, "https://tributary.example/base");
      return null;
    } catch (error) {
      return (error as Refusal).code;
    }
  };

  test("are those that it lists, and our own", () => {
    for (const origin of ["https://shop.example", "http://localhost:3000", "https://tributary.example"])
      expect(codeOf(origin, "cross-site")).toBeNull();
    expect(codeOf(undefined, "same-origin")).toBeNull();
  });

  test("are no others", () => {
    const others = [
      undefined,
      "null",
      "",
      "http://shop.example",
      "https://shop.example:8443",
      "https://shop.example.evil.example",
    ];
    for (const origin of [...others, "https://evilshop.example"]) expect(codeOf(origin, "cross-site")).toBe("origin_not_allowed");
    expect(codeOf(undefined, "none")).toBe("origin_not_allowed");
    expect(new Refusal("origin_not_allowed").code).toBe("origin_not_allowed");
  });
});
