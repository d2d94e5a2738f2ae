import { expect, test } from "vitest";
import type { TimelineEntry } from "./data.ts";
import { foldMessages } from "./fold.ts";

const entry = (id: string, conversation_id?: string) =>
  ({ id, message: conversation_id === undefined ? null : { conversation_id } }) as TimelineEntry;

test("messages of a conversation that follow each other are one entry, the newest; nothing else is folded", () => {
  const entries = [entry("5", "a"), entry("4", "a"), entry("3", "b"), entry("2"), entry("1"), entry("0", "a")];
  const folded = foldMessages(entries).map(({ entry: { id }, count }) => `${id} x${count}`);
  expect(folded).toEqual(["5 x2", "3 x1", "2 x1", "1 x1", "0 x1"]);
});
