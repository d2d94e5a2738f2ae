import { expect, test } from "vitest";
import type { Tier } from "../../tiers/index.ts";
import { directionBetween, pinAfter } from "./model.ts";

const tier = (grade: string, rank: number) =>
  ({ grade, name: grade, rank, requirements: [], api_access: false }) as unknown as Tier;
const tiers = [tier("basic", 10), tier("top", 20)];

test("a grade goes up, down or nowhere by the ranks of the tiers", () => {
  expect(directionBetween(tiers, "basic", "top")).toBe("up");
  expect(directionBetween(tiers, "top", "basic")).toBe("down");
  expect(directionBetween(tiers, "top", "top")).toBe("none");
});

test("a grade by hand is pinned until somebody says otherwise", () => {
  const free = { grade: "basic", pinned: false, pinned_until: null };
  const held = { grade: "top", pinned: true, pinned_until: "2027-01-01T00:00:00.000Z" };
  expect(pinAfter(free, { grade: "top" })).toEqual({ pinned: true, pinned_until: null });
  expect(pinAfter(free, { grade: "basic" })).toEqual({ pinned: false, pinned_until: null });
  expect(pinAfter(free, { grade: "top", pinned: false })).toEqual({ pinned: false, pinned_until: null });
  expect(pinAfter(free, { pinned_until: held.pinned_until })).toEqual({ pinned: true, pinned_until: held.pinned_until });
  expect(pinAfter(free, {})).toEqual({ pinned: false, pinned_until: null });
  expect(pinAfter(held, {})).toEqual({ pinned: true, pinned_until: held.pinned_until });
  expect(pinAfter(held, { grade: "basic" })).toEqual({ pinned: true, pinned_until: null });
  expect(pinAfter(held, { pinned_until: null })).toEqual({ pinned: true, pinned_until: null });
  expect(pinAfter(held, { grade: "top" })).toEqual({ pinned: true, pinned_until: held.pinned_until });
  expect(pinAfter(held, { pinned: false })).toEqual({ pinned: false, pinned_until: null });
});
