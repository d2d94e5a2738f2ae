import { describe, expect, test } from "vitest";
import type { Asset, Live, Spec, Value } from "../../accounts/configuring/index.ts";
import { manifestFrom } from "./capture.model.ts";
import type { Manifest } from "./manifest/model.ts";

type Item = { readonly [member: string]: Value };
const nameOf = (value: Value) => String((value as Item).name).toLowerCase();

/** As much of an asset as a capture needs: boards have columns with ids of their own, and refer to fields. */
const FIELD = {
  type: "field",
  merge: { label: "value" },
  natural: (_: Spec, key: string | null) => key ?? "",
  references: () => [],
  portable: (spec: Spec) => ({ spec, left_out: [] }),
};
const BOARD = {
  type: "board",
  merge: { name: "value", columns: { name: nameOf, ordered: true, parts: true, members: { name: "value", needs: "set" } } },
  natural: (spec: Spec) => nameOf(spec),
  references: ({ columns, owner }: Spec) => [
    ...(columns as Item[]).flatMap(({ needs }, column) =>
      ((needs ?? []) as string[]).map((key, index) => ({ pointer: `/columns/${column}/needs/${index}`, type: "field", key })),
    ),
    ...(typeof owner === "string" ? [{ pointer: "/owner", type: "field", key: owner }] : []),
  ],
  portable: (spec: Spec) =>
    spec.secret === true ? { spec: null, left_out: [`The board ${spec.name} is secret.`] } : { spec, left_out: [] },
};
const assets = [FIELD, BOARD] as unknown as Asset[];

const field = (key: string, archived = false): Live => ({ id: `f_${key}`, archived, key, spec: { label: key }, parts: [] });
const board = (id: string, name: string, columns: Item[], more: Spec = {}): Live => ({
  id,
  archived: false,
  key: null,
  spec: { name, columns, ...more },
  parts: columns.map((_, index) => `${id}_${index}`),
});

const capture = (state: Record<string, Live[]>, known: [string, string][] = [], previous: Manifest | null = null) =>
  manifestFrom({ assets, state, known: new Map(known), previous });

const keysOf = ({ manifest }: ReturnType<typeof capture>) => manifest.assets.map(({ key }) => key);
const columnKeys = ({ manifest }: ReturnType<typeof capture>) =>
  manifest.assets.flatMap(({ spec }) => (spec.columns as Item[] | undefined) ?? []).map(({ key }) => key);

describe("keys of a capture", () => {
  test("come from the record itself, or from its name, and are never the same twice", () => {
    const captured = capture({
      field: [field("deal.budget")],
      board: [
        board("b1", "Früh & spät", [{ name: "Due" }, { name: "dué" }, { name: "2nd" }, { name: "日本" }]),
        board("b2", "fruh spat", []),
        board("b3", "x".repeat(100), []),
      ],
    });
    expect(keysOf(captured)).toEqual(["deal.budget", "fruh-spat", "fruh-spat-2", "x".repeat(56)]);
    expect(columnKeys(captured)).toEqual(["due", "due-2", "item-2nd", "item"]);
    expect(captured.sources).toContainEqual({ type: "board", key: "fruh-spat/due-2", record_id: "b1_1" });
    expect(captured.sources).toContainEqual({ type: "field", key: "deal.budget", record_id: "f_deal.budget" });
  });

  test("stay where the record had one, whatever its name is now", () => {
    const renamed = { board: [board("b2", "Sales", [{ name: "Won" }]), board("b1", "Renamed", [{ name: "Other" }])] };
    const known: [string, string][] = [
      ["b1", "sales"],
      ["b1_0", "won"],
    ];
    const captured = capture(renamed, known);
    expect(keysOf(captured)).toEqual(["sales-2", "sales"]);
    expect(columnKeys(captured)).toEqual(["won", "won"]);
  });

  test("are those of namesakes in the version before, and nothing new takes the key of something else there", () => {
    const spec = {
      name: "Pipeline",
      columns: [
        { key: "first", name: "Open" },
        { key: "won", name: "Closed" },
      ],
    };
    const gone = { name: "Gone", columns: [] };
    const previous: Manifest = {
      format: 1,
      assets: [
        { type: "board", key: "main", spec },
        { type: "board", key: "gym", spec: gone },
      ],
    };
    const captured = capture(
      { board: [board("b1", "PIPELINE", [{ name: "open" }, { name: "Won" }]), board("b2", "Gym", [])] },
      [],
      previous,
    );
    expect(keysOf(captured)).toEqual(["main", "gym-2"]);
    expect(columnKeys(captured)).toEqual(["first", "won-2"]);
  });
});

describe("what a capture leaves out", () => {
  test("are archived records, secrets, and references to what is not there", () => {
    const captured = capture({
      field: [field("a"), field("old", true)],
      board: [
        board("b1", "Kept", [{ name: "One", needs: ["old", "a", "gone"] }]),
        board("b2", "Hidden", [], { secret: true }),
        board("b3", "Orphan", [], { owner: "old" }),
      ],
    });
    expect(captured.manifest.assets).toEqual([
      { type: "field", key: "a", spec: { label: "a" } },
      { type: "board", key: "kept", spec: { name: "Kept", columns: [{ key: "one", name: "One", needs: ["a"] }] } },
    ]);
    expect(captured.left_out).toEqual([
      "The board Hidden is secret.",
      "board kept refers to field gone, which is archived: /columns/0/needs/2 is left out.",
      "board kept refers to field old, which is archived: /columns/0/needs/0 is left out.",
      "board orphan refers to field old, which is archived: /owner is left out.",
    ]);
  });
});
