import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  automaticRefusal,
  CALL_MS,
  CLAIM_MS,
  forward,
  isHandedOver,
  isWaiting,
  limitOf,
  RANK,
  REPORTED,
  SEND_RETRIES_MS,
  type SendStatus,
} from "./model.ts";

const STATUSES = Object.keys(RANK) as SendStatus[];
const moved = (from: SendStatus, to: SendStatus) => (forward(from, to) ? to : from);

describe("the status of a message", () => {
  test.each([
    ["scheduled", "queued"],
    ["queued", "sending"],
    ["sending", "sent"],
    ["sent", "delivered"],
    ["delivered", "read"],
    ["sent", "read"],
    ["scheduled", "cancelled"],
    ["queued", "cancelled"],
    ["queued", "failed"],
    ["sending", "failed"],
    ["sent", "failed"],
    ["failed", "delivered"],
  ] as const)("goes from %s to %s, and never back", (from, to) => {
    expect([forward(from, to), forward(to, from)]).toEqual([true, false]);
  });

  test.each(["sending", "sent", "delivered", "read", "failed"] as const)("is not cancelled once it is %s", (from) => {
    expect(forward(from, "cancelled")).toBe(false);
  });

  test("stays where it is cancelled, and where it is received", () => {
    expect(STATUSES.filter((to) => forward("cancelled", to) || forward("received", to))).toEqual([]);
  });

  test("is the same at the end in whatever order reports arrive, and however often", () => {
    const reports = fc.array(fc.constantFrom(...REPORTED), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom("queued", "sending", "sent"), reports, fc.nat(), (start: SendStatus, some, turn) => {
        const turned = some.map((_, index) => some[(index + turn) % some.length] as SendStatus);
        expect(turned.reduce(moved, start)).toBe(some.reduce(moved, start));
        expect([...some, ...turned].reduce(moved, start)).toBe(some.reduce(moved, start));
      }),
    );
  });

  test("says who may still act on it", () => {
    expect(STATUSES.filter(isWaiting)).toEqual(["scheduled", "queued"]);
    expect(STATUSES.filter(isHandedOver)).toEqual(["sent", "failed", "delivered", "read"]);
  });
});

test("an automatic e-mail answers no machine, and no address or conversation without end", () => {
  const before = { in_conversation: 4, to_address: 19, answers_machine: false };
  expect(automaticRefusal(before)).toBeNull();
  expect(automaticRefusal({ ...before, in_conversation: 5 })?.code).toBe("automatic_limit");
  expect(automaticRefusal({ ...before, to_address: 20 })?.code).toBe("automatic_limit");
  expect(automaticRefusal({ ...before, answers_machine: true })?.code).toBe("automatic_reply");
});

test("a channel may send three seconds of its rate at once, and one message in any case", () => {
  expect([1, 20, 21, 60, 600].map((per_minute) => limitOf(per_minute).burst)).toEqual([1, 1, 2, 3, 30]);
  expect(limitOf(60).per_minute).toBe(60);
});

test("attempts come later and later, and no call outlives the claim of its process", () => {
  expect(SEND_RETRIES_MS.map((ms) => ms / 1000)).toEqual([10, 60, 300, 1_800, 7_200]);
  expect(CALL_MS).toBeLessThan(CLAIM_MS);
});
