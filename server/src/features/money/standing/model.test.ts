import fc from "fast-check";
import { expect, test } from "vitest";
import type { Requirement, Tier } from "../../programme/tiers/index.ts";
import { fittingGrade, highestFitting, isPinned, reviewed, type Standing } from "./model.ts";

const DAY_MS = 86_400_000;
const GRADES = ["registered", "silver", "gold", "platinum"];
const tier = (grade: string, rank: number, ...requirements: Requirement[]) => ({ grade, rank, requirements }) as unknown as Tier;
const clients = (value: number): Requirement => ({ metric: "active_clients", value });
const TIERS = [
  tier("registered", 0),
  tier("silver", 1, clients(5)),
  tier("gold", 2, clients(20)),
  tier("platinum", 3, { metric: "retention_bps", value: 8500 }, clients(50)),
];
const rankOf = (grade: string) => GRADES.indexOf(grade);

test("the highest tier whose requirements are all met fits, and a certification lifts to its grade", async () => {
  const measure =
    (active: number, retention: number) =>
    async ({ metric }: Requirement) =>
      metric === "active_clients" ? active : retention;
  expect(await fittingGrade(measure(0, 10_000), TIERS, [])).toBe("registered");
  expect(await fittingGrade(measure(5, 0), TIERS, [])).toBe("silver");
  expect(await fittingGrade(measure(60, 8499), TIERS, [])).toBe("gold");
  expect(await fittingGrade(measure(50, 8500), TIERS, [])).toBe("platinum");
  expect(await fittingGrade(measure(5, 0), TIERS, ["gold"])).toBe("gold");
  expect(await fittingGrade(measure(20, 0), TIERS, ["silver"])).toBe("gold");
  expect(await highestFitting(measure(4, 0), TIERS.slice(1), [])).toBeNull();
});

test("what costs more is not measured where what costs less is not met", async () => {
  const asked: string[] = [];
  const measure = async ({ metric }: Requirement) => {
    asked.push(metric);
    return 0;
  };
  await highestFitting(measure, TIERS.slice(3), []);
  expect(asked).toEqual(["active_clients"]);
});

const time = (day: number) => new Date(Date.UTC(2026, 10, 1) + day * DAY_MS);
const day = fc.integer({ min: 0, max: 200 });
const grade = fc.constantFrom(...GRADES);
const standing: fc.Arbitrary<Standing> = fc.record({
  grade,
  pinned: fc.boolean(),
  pinned_until: fc.option(day.map((days) => time(days).toISOString())),
  grace_until: fc.option(day.map((days) => time(days).toISOString())),
});

test("a second review at the same time changes nothing", () => {
  fc.assert(
    fc.property(standing, grade, day, fc.integer({ min: 0, max: 60 }), (before, fitting, at, grace_days) => {
      const once = reviewed(before, fitting, TIERS, time(at), grace_days);
      expect(reviewed(once, fitting, TIERS, time(at), grace_days)).toEqual(once);
    }),
  );
});

test("a pin that holds is left alone, and one that has ended is taken away", () => {
  fc.assert(
    fc.property(standing, grade, day, (before, fitting, at) => {
      const after = reviewed(before, fitting, TIERS, time(at), 30);
      if (isPinned(before, time(at))) expect(after).toBe(before);
      else expect(after).toMatchObject({ pinned: false, pinned_until: null });
    }),
  );
});

test("a grade falls only after it has not fitted for all the days of grace, and rises at once", () => {
  const nights = fc.array(fc.record({ fitting: grade, days: fc.integer({ min: 1, max: 20 }) }), { maxLength: 40 });
  fc.assert(
    fc.property(grade, nights, fc.integer({ min: 0, max: 40 }), (first, reviews, grace_days) => {
      let current: Standing = { grade: first, pinned: false, pinned_until: null, grace_until: null };
      let at = 0;
      let below_since: number | null = null;
      for (const { fitting, days } of reviews) {
        at += days;
        const before = current;
        current = reviewed(before, fitting, TIERS, time(at), grace_days);
        const below = rankOf(fitting) < rankOf(before.grade);
        below_since = below ? (below_since ?? at) : null;
        if (!below) expect(current).toMatchObject({ grade: fitting, grace_until: null });
        else if (at - (below_since ?? at) >= grace_days) expect(current.grade).toBe(fitting);
        else expect(current.grade).toBe(before.grade);
        if (current.grade !== before.grade) below_since = null;
      }
    }),
  );
});

test.each<[string, Partial<Standing>, boolean]>([
  ["without an end", { pinned: true }, true],
  ["that ends later", { pinned: true, pinned_until: time(11).toISOString() }, true],
  ["that ends now", { pinned: true, pinned_until: time(10).toISOString() }, false],
  ["that has ended", { pinned: true, pinned_until: time(9).toISOString() }, false],
  ["that is none", { pinned: false }, false],
  ["that is none, whatever its time", { pinned: false, pinned_until: time(11).toISOString() }, false],
])("a pin %s holds the grade or not", (_, rest, pinned) => {
  const before: Standing = { grade: "gold", pinned: false, pinned_until: null, grace_until: null, ...rest };
  expect(isPinned(before, time(10))).toBe(pinned);
  expect(reviewed(before, "platinum", TIERS, time(10), 30).grade).toBe(pinned ? "gold" : "platinum");
});
