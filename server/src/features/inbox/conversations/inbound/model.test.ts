import { expect, test } from "vitest";
import { keywordOf, newReplyToken, storable } from "./model.ts";

test("a keyword is the whole text, in any case", () => {
  for (const text of ["STOP", " stop\n", "StopAll", "unsubscribe", "cancel", "END", "quit"]) expect(keywordOf(text)).toBe("stop");
  for (const text of ["start", "UNSTOP"]) expect(keywordOf(text)).toBe("start");
  expect(keywordOf("Help")).toBe("help");
  for (const text of ["", "stop it", "STOP.", "please stop", "toString", "constructor"]) expect(keywordOf(text)).toBeNull();
});

test("what the database cannot store of a text is left out", () => {
  expect(storable("a\0b\ud800c", 10)).toBe("ab\ufffdc");
  expect(storable("👍👍", 3)).toBe("👍\ufffd");
});

test("a reply token is short, in lower case, and never the same", () => {
  const tokens = Array.from({ length: 100 }, newReplyToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{20}$/);
});
