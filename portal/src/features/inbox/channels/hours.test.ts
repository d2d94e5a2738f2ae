import { expect, test } from "vitest";
import { hoursMembersOf, hoursValuesOf } from "./hours.ts";

test("hours that are opened and saved say what they said", () => {
  const hours = {
    mon: [
      { from: "09:00", to: "12:00" },
      { from: "13:00", to: "17:30" },
    ],
    sat: [{ from: "22:00", to: "24:00" }],
  };
  const values = hoursValuesOf({ hours, timezone: "Europe/Berlin" });
  expect(values.hours).toMatchObject({ mon: "09:00-12:00, 13:00-17:30", tue: "", sat: "22:00-24:00" });
  expect(hoursMembersOf(values)).toEqual({ hours, timezone: "Europe/Berlin" });
});

test("a channel without hours stays so, and has those of an office once it is limited", () => {
  const values = hoursValuesOf();
  expect(hoursMembersOf(values)).toEqual({ hours: null });
  const { hours } = hoursMembersOf({ ...values, limited: true });
  expect(Object.keys(hours ?? {})).toEqual(["mon", "tue", "wed", "thu", "fri"]);
});

test("times are read as people write them, and what is none is left to the API", () => {
  const { hours } = hoursValuesOf();
  const read = (mon: string) => hoursMembersOf({ limited: true, timezone: "UTC", hours: { ...hours, mon } }).hours?.mon;
  expect(read("9 - 12.30; 13–17")).toEqual([
    { from: "09:00", to: "12:30" },
    { from: "13:00", to: "17:00" },
  ]);
  expect(read("morning")).toEqual([{ from: "morning", to: "" }]);
});
