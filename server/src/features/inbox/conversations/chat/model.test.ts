import { expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { exampleId } from "../../../../kernel/ids.ts";
import { placeId, placeOf } from "./model.ts";

const conversation_id = exampleId("conversation");

test("the id of a message is its place", () => {
  for (const ordinal of [0, 7, 999_999_999])
    expect(placeOf(placeId({ conversation_id, ordinal }))).toEqual({ conversation_id, ordinal });
});

test.each([
  "",
  conversation_id,
  `${conversation_id}.`,
  `${conversation_id}.x`,
  `${conversation_id}.1x`,
  `x${conversation_id}.1`,
  `${conversation_id}.1234567890`,
  `${conversation_id}0.1`,
  `${conversation_id.slice(0, -1)}.1`,
  `${conversation_id} 1`,
  exampleId("contact").concat(".1"),
])("%s is none", (id) => {
  expect(refusalOf(() => placeOf(id))?.code).toBe("invalid_cursor");
});
