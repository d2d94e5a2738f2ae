import { afterEach, describe, expect, test, vi } from "vitest";
import { dayOf, daysWithin, isDay, lastMonths, monthWithin } from "./days.ts";

afterEach(() => void vi.unstubAllEnvs());

/** West of UTC, east of it, and with days of 23 and 25 hours. */
const ZONES = ["America/Los_Angeles", "Asia/Tokyo", "Europe/Berlin", "UTC"];

describe.each(ZONES)("days in %s", (zone) => {
  test("the first and the last day are shown whole, and no other", () => {
    vi.stubEnv("TZ", zone);
    for (const [from, to] of [
      ["2026-11-15", "2026-11-16"],
      ["2026-03-29", "2026-03-29"],
      ["2026-10-25", "2026-10-31"],
    ] as const) {
      const { charged_after = "", charged_before = "" } = daysWithin("charged", { from, to });
      expect(dayOf(charged_after)).toBe(from);
      expect(dayOf(new Date(Date.parse(charged_after) - 1))).not.toBe(from);
      expect(dayOf(new Date(Date.parse(charged_before) - 1))).toBe(to);
      expect(dayOf(charged_before)).not.toBe(to);
    }
  });

  test("a day is written as itself", async () => {
    vi.stubEnv("TZ", zone);
    vi.resetModules(); // Formats keep the zone that they were made in.
    const { day } = await import("./when.tsx");
    expect(day("2019-11-16")).toBe("16 Nov 2019");
    expect(day(daysWithin("charged", { from: "2019-11-16" }).charged_after ?? "")).toBe("16 Nov 2019");
  });

  test("a month is one of the books", () => {
    vi.stubEnv("TZ", zone);
    expect(monthWithin("accrued", "2026-12")).toEqual({
      accrued_after: "2026-12-01T00:00:00.000Z",
      accrued_before: "2027-01-01T00:00:00.000Z",
    });
    expect(lastMonths(3, new Date("2026-01-31T23:30:00Z"))).toEqual(["2025-11", "2025-12", "2026-01"]);
  });
});

test("what is no day narrows nothing", () => {
  expect(daysWithin("charged", {})).toEqual({});
  expect(daysWithin("charged", { from: "yesterday", to: "2026-13-45" })).toEqual({});
  expect(isDay("2026-02-28")).toBe(true);
});
