import { describe, expect, test } from "vitest";
import { isDay, isTime, textFault } from "./storable.ts";

describe("a time", () => {
  test.each([
    "2026-11-02T09:30:00Z",
    "2026-11-02T09:30:00.123456789+15:59",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "2024-02-29T00:00:00-12:00",
  ])("%s can be stored", (text) => expect(isTime(text)).toBe(true));

  test.each([
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "2026-11-02T09:30:00+16:00",
    "2026-11-02T09:30:00-23:59",
    "2026-02-30T00:00:00Z",
    "2026-11-02T09:30:60Z",
    "2026-11-02 09:30:00Z",
    "2026-11-02T09:30:00",
    "now",
    "infinity",
    "",
  ])("%s cannot", (text) => expect(isTime(text)).toBe(false));
});

test("a day exists, and not in the year 0", () => {
  expect(["2024-02-29", "0001-01-01", "9999-12-31"].map(isDay)).toEqual([true, true, true]);
  expect(["2025-02-29", "0000-01-01", "10000-01-01", "2026-1-1", "today"].map(isDay)).toEqual(Array(5).fill(false));
});

test("a text has no U+0000 and no half of a character", () => {
  expect(["", "ä", "\u{1f600}", "\n"].map(textFault)).toEqual([null, null, null, null]);
  for (const text of ["\0", "a\0b", "\ud800", "\udc00\ud800"]) expect(textFault(text)).toMatch(/^Text must not contain/);
});
