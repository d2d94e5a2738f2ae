import { expect, test } from "vitest";
import { isOpen } from "./model.ts";

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
