import { expect, test } from "vitest";
import { isOpen, presence } from "./model.ts";

test("a channel is open within the hours of its own time zone", () => {
  const hours = { mon: [{ from: "09:00", to: "12:00" }], sun: [{ from: "22:00", to: "24:00" }] };
  const at = (time: string) => isOpen(hours, "Europe/Berlin", new Date(time));
  expect(at("2026-11-02T08:00:00Z")).toBe(true);
  expect(at("2026-11-02T07:59:59Z")).toBe(false);
  expect(at("2026-11-02T11:00:00Z")).toBe(false);
  expect(at("2026-11-03T09:00:00Z")).toBe(false);
  expect(at("2026-11-01T22:59:00Z")).toBe(true);
  expect(at("2026-07-06T07:00:00Z")).toBe(true);
  expect(isOpen(null, null, new Date(0))).toBe(true);
});

test("a channel says when somebody is there again, and until when", () => {
  const hours = {
    mon: [
      { from: "09:00", to: "12:00" },
      { from: "13:00", to: "17:00" },
    ],
    sat: [{ from: "22:00", to: "24:00" }],
    sun: [{ from: "00:00", to: "02:00" }],
  };
  const at = (time: string) => presence(hours, "Europe/Berlin", new Date(time));
  const state = (open: boolean, time: string) => ({ open, changes_at: new Date(time) });
  expect(at("2026-11-02T08:30:00Z")).toEqual(state(true, "2026-11-02T11:00:00Z"));
  expect(at("2026-11-02T11:30:00Z")).toEqual(state(false, "2026-11-02T12:00:00Z"));
  expect(at("2026-11-02T17:00:00Z")).toEqual(state(false, "2026-11-07T21:00:00Z"));
  expect(at("2026-11-07T21:00:00Z")).toEqual(state(true, "2026-11-08T01:00:00Z"));
  // The clocks go back on 25 October.
  expect(at("2026-10-25T12:00:00Z")).toEqual(state(false, "2026-10-26T08:00:00Z"));
  expect(presence({}, "UTC", new Date(0))).toEqual({ open: false, changes_at: null });
  expect(presence(null, null, new Date(0))).toBeNull();
});
