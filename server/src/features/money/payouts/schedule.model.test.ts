import { describe, expect, test } from "vitest";
import { minimumFor, nextSlot } from "./schedule.model.ts";

/** The next slots after an instant, each after the one before. */
function slots(cron: string, time_zone: string, after: string, count: number): string[] {
  const found: string[] = [];
  for (let at = new Date(after); found.length < count; ) {
    const next = nextSlot(cron, time_zone, at);
    if (next === null) break;
    found.push(next.toISOString().replace(":00.000Z", "Z"));
    at = next;
  }
  return found;
}

test("without a schedule there is no slot", () => {
  expect(nextSlot(null, "UTC", new Date("2026-11-15T06:00:00Z"))).toBeNull();
});

test("a slot is after the instant, never at it", () => {
  const [at, before] = ["2026-11-15T06:00:00.000Z", "2026-11-15T05:59:59.999Z"];
  expect(slots("0 6 15 * *", "UTC", at, 1)).toEqual(["2026-12-15T06:00Z"]);
  expect(slots("0 6 15 * *", "UTC", before, 1)).toEqual(["2026-11-15T06:00Z"]);
});

describe("the ends of months", () => {
  test("the 31st is left out where a month has none", () => {
    expect(slots("0 6 31 * *", "UTC", "2026-01-31T06:00:00Z", 3)).toEqual([
      "2026-03-31T06:00Z",
      "2026-05-31T06:00Z",
      "2026-07-31T06:00Z",
    ]);
  });

  test("L is the last day of each month, in leap years too", () => {
    expect(slots("0 6 L * *", "UTC", "2028-01-31T06:00:00Z", 3)).toEqual([
      "2028-02-29T06:00Z",
      "2028-03-31T06:00Z",
      "2028-04-30T06:00Z",
    ]);
  });

  test("are those of the time zone", () => {
    expect(slots("0 6 1 * *", "Pacific/Auckland", "2026-10-31T00:00:00Z", 1)).toEqual(["2026-10-31T17:00Z"]);
    expect(slots("0 23 L * *", "America/Los_Angeles", "2026-11-30T00:00:00Z", 1)).toEqual(["2026-12-01T07:00Z"]);
  });
});

describe("summer time", () => {
  test("the hour is that of the clock on the wall", () => {
    expect(slots("0 6 15 * *", "Europe/Berlin", "2026-09-15T04:00:00Z", 2)).toEqual(["2026-10-15T04:00Z", "2026-11-15T05:00Z"]);
  });

  test("a time that is skipped is taken at the end of the gap, once", () => {
    expect(slots("30 2 * * *", "Europe/Berlin", "2027-03-27T01:30:00Z", 2)).toEqual(["2027-03-28T01:00Z", "2027-03-29T00:30Z"]);
  });

  test("a time that is repeated is taken once", () => {
    expect(slots("30 2 * * *", "Europe/Berlin", "2026-10-24T00:30:00Z", 2)).toEqual(["2026-10-25T00:30Z", "2026-10-26T01:30Z"]);
  });
});

test("the minimum is that of the currency, else 50.00", () => {
  expect(minimumFor({ eur: 10_000, jpy: 1 }, "eur")).toBe(10_000);
  expect(minimumFor({ eur: 10_000, jpy: 1 }, "jpy")).toBe(1);
  expect(minimumFor({ eur: 10_000 }, "usd")).toBe(5_000);
});
