import { describe, expect, test } from "vitest";
import {
  ACTIVE,
  BYTES_MAX,
  CANCELLABLE,
  CELL_CHARACTERS_MAX,
  KEEP_DETAILS_MS,
  parseJson,
  parseObject,
  REVERTIBLE,
  STATUSES,
} from "./model.ts";

describe("an import", () => {
  test("is cancelled while it runs, and reverted once it has ended", () => {
    expect(ACTIVE).toEqual(["queued", "running", "reverting"]);
    expect(CANCELLABLE).toEqual(["queued", "running"]);
    expect(REVERTIBLE).toEqual(["completed", "cancelled", "failed"]);
    expect(STATUSES.filter((status) => !ACTIVE.includes(status) && !REVERTIBLE.includes(status))).toEqual(["reverted"]);
  });

  test("takes files of a hundred mebibytes, cells of 64 KiB, and keeps details for thirty days", () => {
    expect(BYTES_MAX).toBe(104_857_600);
    expect(CELL_CHARACTERS_MAX).toBe(65_536);
    expect(KEEP_DETAILS_MS).toBe(2_592_000_000);
  });
});

test.each([
  ['{"a":1}', { a: 1 }],
  ["{}", {}],
  ["[1]", null],
  ["null", null],
  ["1", null],
  ['"a"', null],
  ["{", null],
  ["", null],
])("%s is the object %j", (text, object) => {
  expect(parseObject(text)).toEqual(object);
});

test("a text that is not JSON has no value", () => {
  expect(parseJson("[1]")).toEqual([1]);
  expect(parseJson("null")).toBeNull();
  expect(parseJson("x")).toBeUndefined();
});
