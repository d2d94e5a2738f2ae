import { expect, test } from "vitest";
import { driftOf } from "./drift.model.ts";
import type { Install } from "./plan/model.ts";
import {
  blockInPositions,
  changesWithIds,
  ownedBy,
  positionsOf,
  removalsWithIds,
  stateInPositions,
  translateChanged,
  translateInstall,
} from "./positions.model.ts";

const upper = (id: string) => id.toUpperCase();

test("ids are positions in the order in which they were looked up; others follow", () => {
  const { of, idAt } = positionsOf(["a", "b"]);
  expect([of("b"), of("a"), of("c"), of("d"), of("c")]).toEqual(["#1", "#0", "#2", "#3", "#2"]);
  expect(["#0", "#1", "#2", "#3", "x"].map(idAt)).toEqual(["a", "b", "c", "d", "x"]);
  expect(() => idAt("#4")).toThrow("nothing at #4");
});

test("an install, what was changed and the records of an account have other ids", () => {
  const entry = { id: "p1", base: 1, parts: { won: "s1" }, made: true };
  const install: Install & { note: string } = { version: 1, note: "n", entries: { "pipeline/sales": entry } };
  expect(translateInstall(install, upper)).toEqual({
    version: 1,
    note: "n",
    entries: { "pipeline/sales": { id: "P1", base: 1, parts: { won: "S1" }, made: true } },
  });
  expect(translateChanged({ "pipeline/sales": { id: "p1", parts: { won: "s1" } } }, upper)).toEqual({
    "pipeline/sales": { id: "P1", parts: { won: "S1" } },
  });
  const live = { id: "p1", archived: false, key: null, spec: { name: "Sales" }, parts: ["s1", "s2"] };
  expect(stateInPositions({ pipeline: [live] }, positionsOf(["p1", "s1", "s2"]))).toEqual({
    pipeline: [{ ...live, id: "#0", parts: ["#1", "#2"] }],
  });
});

test("a block is of whichever account", () => {
  const positions = positionsOf(["p1", "s1"]);
  expect(blockInPositions({ account_id: "cli_1", id: "p1", part: "s1", count: 3 }, positions)).toEqual({
    account_id: "",
    id: "#0",
    part: "#1",
    count: 3,
  });
  expect(blockInPositions({ account_id: "cli_1", id: "p1", part: null, count: 3 }, positions).part).toBeNull();
});

test("changes and removals get the ids of the account", () => {
  const positions = positionsOf(["p1", "s1", "gone"]);
  const to = { name: "Sales" };
  expect(
    changesWithIds(
      [
        { do: "create", key: "a", to },
        { do: "create", key: "b", id: "#2", to },
        { do: "remove", key: "c", id: "#0", unmade: true },
        { do: "update", key: "d", id: "#0", parts: ["#1", null], to },
        { do: "revive", key: "e", id: "#0", parts: [], to },
      ],
      positions,
    ),
  ).toEqual([
    { do: "create", key: "a", to },
    { do: "create", key: "b", id: "gone", to },
    { do: "remove", key: "c", id: "p1", unmade: true },
    { do: "update", key: "d", id: "p1", parts: ["s1", null], to },
    { do: "revive", key: "e", id: "p1", parts: [], to },
  ]);
  expect(removalsWithIds([{ id: "#0", parts: ["#1"] }], positions)).toEqual([{ id: "p1", parts: ["s1"] }]);
});

test("an install owns records by type and id", () => {
  const entry = { id: "p1", base: 1, parts: {}, made: true };
  const entries = { "pipeline/sales": entry, "custom_field/contact.size": { ...entry, id: "f1" } };
  expect(ownedBy(entries)).toEqual(["pipeline/p1", "custom_field/f1"]);
  expect(ownedBy(entries, upper)).toEqual(["pipeline/P1", "custom_field/F1"]);
});

test("what is missing is told before what is modified", () => {
  const one = (drift: "modified" | "missing") => ({ type: "tag", key: "vip", drift });
  expect(driftOf([])).toBe("none");
  expect(driftOf([one("modified")])).toBe("modified");
  expect(driftOf([one("modified"), one("missing")])).toBe("missing");
});
