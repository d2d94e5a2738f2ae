import { expect, test } from "vitest";
import { LruMap } from "./lru.ts";
import { composedStatement, statement } from "./statement.ts";

test("a composed statement is the same one while it is in use, and has the same name always", () => {
  const first = composedStatement("select 1 where $1");
  for (let count = 0; count < 300; count += 1) composedStatement(`select ${count}`);
  expect(composedStatement("select 1 where $1")).toBe(first);
  for (let count = 0; count < 10_000; count += 1) composedStatement(`select ${count}`);
  const again = composedStatement("select 1 where $1");
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
  expect(first).toEqual({ ...statement("select 1 where $1"), composed: true });
});

test("a full map forgets the entry that was not used for longest, and says which", () => {
  const map = new LruMap<number>(2);
  expect([map.set("a", 1), map.set("b", 2), map.get("a"), map.set("c", 3)]).toEqual([null, null, 1, "b"]);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([1, undefined, 3, 2]);
  expect(map.set("a", 4)).toBeNull();
  expect(map.set("d", 5)).toBe("c");
});
