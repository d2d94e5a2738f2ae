import { expect, test } from "vitest";
import { REMIND_DAYS, reminderTime } from "./model.ts";

test.each([
  ["2026-11-20", 0, "UTC", "2026-11-20T10:00:00.000Z"],
  // The clocks of Europe go back on 2026-10-25 and forward on 2027-03-28.
  ["2026-10-25", -1, "Europe/Berlin", "2026-10-24T08:00:00.000Z"],
  ["2026-10-25", 0, "Europe/Berlin", "2026-10-25T09:00:00.000Z"],
  ["2027-03-27", 0, "Europe/Berlin", "2027-03-27T09:00:00.000Z"],
  ["2027-03-27", 1, "Europe/Berlin", "2027-03-28T08:00:00.000Z"],
  ["2026-11-01", 0, "America/New_York", "2026-11-01T15:00:00.000Z"],
  ["2026-11-01", -1, "America/New_York", "2026-10-31T14:00:00.000Z"],
  ["2026-11-20", 0, "Pacific/Kiritimati", "2026-11-19T20:00:00.000Z"],
  ["2026-11-20", 0, "Pacific/Niue", "2026-11-20T21:00:00.000Z"],
  ["2028-02-28", 1, "Asia/Kathmandu", "2028-02-29T04:15:00.000Z"],
  ["2026-12-31", 1, "UTC", "2027-01-01T10:00:00.000Z"],
])("of a link due on %s, a reminder %i days on in %s is at %s", (due_on, days, zone, at) => {
  expect(reminderTime(due_on, days, zone).toISOString()).toBe(at);
});

test("a payer is reminded three days before a link is due and a day after, where nobody says otherwise", () => {
  expect(REMIND_DAYS).toEqual([-3, 1]);
});
