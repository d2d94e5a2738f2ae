import { expect, test } from "vitest";
import { dayIn, isTimeZone, scheduleFault } from "./schedule.ts";

test("a schedule has five fields, days that exist, and runs at most once an hour", () => {
  for (const valid of ["0 6 15 * *", "30 * * * *", "0 6 L * *", "0 6 29 2 *", "0 6 * * FRI#2", "15 8 1,15 JAN-JUN *"])
    expect(scheduleFault(valid), valid).toBeNull();
  const wrong: [cron: string, code: string][] = [
    ["", "invalid_cron"],
    ["every month", "invalid_cron"],
    ["0 6 15 *", "invalid_cron"],
    ["0 0 6 15 * *", "invalid_cron"],
    ["0 24 15 * *", "invalid_cron"],
    ["0 6 32 * *", "invalid_cron"],
    ["2026-11-15T06:00:00Z", "invalid_cron"],
    ["@monthly", "invalid_cron"],
    ["* 6 15 * *", "too_frequent"],
    ["*/30 6 15 * *", "too_frequent"],
    ["0,30 6 15 * *", "too_frequent"],
    ["0-5 6 15 * *", "too_frequent"],
    ["0 6 31 2 *", "never"],
  ];
  for (const [cron, code] of wrong) expect(scheduleFault(cron), cron).toMatchObject({ code });
});

test("a time zone is one of the IANA database", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kolkata"])
    expect(isTimeZone(zone)).toBe(true);
  for (const none of ["", "Berlin", "Europe/Nowhere", "+01:00", "GMT+1", "../etc"]) expect(isTimeZone(none), none).toBe(false);
});

test("a day is that of the zone", () => {
  const time = new Date("2026-11-20T10:30:00Z");
  expect([dayIn("UTC", time), dayIn("Pacific/Kiritimati", time), dayIn("Pacific/Niue", time)]).toEqual([
    "2026-11-20",
    "2026-11-21",
    "2026-11-19",
  ]);
});
