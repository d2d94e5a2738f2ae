import { expect, test } from "vitest";
import { titleOf } from "./model.ts";
import { newRecords } from "./new-records.model.ts";

test("records that share a spec send it once, each with its ordinal", () => {
  const [one, two] = [{ name: "One" }, { name: "Two" }];
  const record = (id: string, account_id: string, to: { name: string }) => ({ id, account_id, key: "k", to });
  const records = [record("a", "cli_1", one), record("b", "cli_1", two), record("c", "cli_2", one), record("d", "cli_2", two)];
  expect(newRecords(records)).toEqual([
    '[{"name":"One","ordinal":0},{"name":"Two","ordinal":1}]',
    ["a", "b", "c", "d"],
    ["cli_1", "cli_1", "cli_2", "cli_2"],
    [0, 1, 0, 1],
  ]);
  const [specs] = newRecords(records, ({ key, to }) => ({ key, label: to.name }));
  expect(JSON.parse(specs)).toEqual([
    { key: "k", label: "One", ordinal: 0 },
    { key: "k", label: "Two", ordinal: 1 },
  ]);
  expect(newRecords([])).toEqual(["[]", [], [], []]);
});

test("the title of an asset is its name, else its label", () => {
  expect([titleOf({ name: "A", label: "B" }), titleOf({ label: "B" }), titleOf({ name: 7 }), titleOf({})]).toEqual([
    "A",
    "B",
    null,
    null,
  ]);
});
