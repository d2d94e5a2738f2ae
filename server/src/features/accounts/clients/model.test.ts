import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { CLIENT_STATUSES, type ClientStatus, checkTransition, daysBetween, TAGS_MAX, withoutTags, withTags } from "./model.ts";

/** Every move of the state machine as the interface states it. */
const MOVES: Record<ClientStatus, ClientStatus[]> = {
  pending: ["active", "churned"],
  active: ["suspended", "churned"],
  suspended: ["active", "churned"],
  churned: ["active"],
};
const PAIRS = CLIENT_STATUSES.flatMap((from) => CLIENT_STATUSES.map((to) => ({ from, to })));

describe.each(PAIRS)("from $from to $to", ({ from, to }) => {
  test("a client moves, stays, or is refused with where it can go", () => {
    const move = () => checkTransition({ status: from, house: false }, to);
    if (from === to) expect(move()).toBe(false);
    else if (MOVES[from].includes(to)) expect(move()).toBe(true);
    else {
      const refused = refusalOf(move);
      expect([refused?.code, refused?.meta]).toEqual(["invalid_state_transition", { from, to, allowed: MOVES[from] }]);
    }
  });
});

test.each(CLIENT_STATUSES)("the house account stays active: to %s", (to) => {
  const move = () => checkTransition({ status: "active", house: true }, to);
  if (to === "active") expect(move()).toBe(false);
  else expect(refusalOf(move)?.meta).toEqual({ from: "active", to, allowed: [] });
});

test("days are counted when they are whole", () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, max: new Date("9000-01-01") }),
      fc.nat(10_000),
      fc.nat(86_399_999),
      (from, days, rest_ms) => {
        expect(daysBetween(from, new Date(from.getTime() + days * 86_400_000 + rest_ms))).toBe(days);
      },
    ),
  );
});

describe("tags", () => {
  const many = Array.from({ length: TAGS_MAX }, (_, index) => `t${index}`);

  test("are added once, in their order, and removed", () => {
    expect(withTags(["a", "b"], ["b", "c", "c"])).toEqual(["a", "b", "c"]);
    expect(withoutTags(["a", "b", "c"], ["c", "a", "z"])).toEqual(["b"]);
  });

  test("are at most fifty", () => {
    expect(withTags(many.slice(1), ["t0"])).toHaveLength(50);
    const refused = refusalOf(() => withTags(many, ["more"]));
    expect(refused?.code).toBe("validation_failed");
    expect(refused?.message).toContain("51");
  });
});
