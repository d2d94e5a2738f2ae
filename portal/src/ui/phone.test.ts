import { expect, test } from "vitest";
import { spaced } from "./phone.ts";

test("numbers of North America are spaced as people write them, others stay", () => {
  expect(["+12075550142", "+4930901820", "ada@fern.example", null].map(spaced)).toEqual([
    "+1 207 555 0142",
    "+4930901820",
    "ada@fern.example",
    null,
  ]);
});
