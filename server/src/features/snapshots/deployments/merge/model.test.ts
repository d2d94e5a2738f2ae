import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manifest } from "../../../../../test/harness/snapshots/pure-manifests.ts";
import { BOARD, FIELD, SCORING } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import type { Asset, Spec, Value } from "../../../accounts/configuring/index.ts";
import { isMadeHere, type Keyed, keyed, plain } from "./keyed.model.ts";
import { type Merging, mergeSpecs } from "./model.ts";

/** Merges specs of a manifest's form: in them, parts have keys also where the client made them. */
function merge(asset: Asset, base: Spec | null, client: Spec, snapshot: Spec, more: Partial<Merging> = {}) {
  const of = (spec: Spec) => keyed(asset, spec);
  const parts = (spec: Spec | null) => ((spec?.stages ?? []) as readonly Spec[]).map(({ key }) => String(key));
  const known = new Set([...parts(base), ...parts(client)].filter((key) => !isMadeHere(key)));
  const versions = { base: base && of(base), client: of(client), snapshot: of(snapshot), overwrite: false, known };
  const { to, conflicts, ...rest } = mergeSpecs(asset, { ...versions, held: new Map<string, Value>(), uses: () => 0, ...more });
  return { to: plain(asset, to as Keyed, true), conflicts: conflicts.map(({ code, path }) => `${path} ${code}`), ...rest };
}

/** Three specs of one type. */
const threeOf = (type: string) =>
  fc
    .tuple(manifest(), manifest(), manifest())
    .map((all) => all.map(({ assets }) => assets.find((asset) => asset.type === type)?.spec))
    .filter((specs): specs is [Spec, Spec, Spec] => !specs.includes(undefined));

describe.each([FIELD, BOARD, SCORING])("specs of type $type", (asset) => {
  test("are the snapshot's where nothing was edited, the client's where the snapshot did not change, and what both agree on", () => {
    fc.assert(
      fc.property(threeOf(asset.type), ([base, client, snapshot]) => {
        expect(merge(asset, base, base, snapshot)).toMatchObject({ to: snapshot, conflicts: [] });
        expect(merge(asset, base, client, base)).toMatchObject({ to: client, conflicts: [] });
        expect(merge(asset, base, client, client)).toMatchObject({ to: client, conflicts: [] });
        expect(merge(asset, null, client, client)).toMatchObject({ to: client, conflicts: [] });
      }),
    );
  });

  test("settle: a merge is not changed by the same merge again", () => {
    fc.assert(
      fc.property(threeOf(asset.type), fc.boolean(), ([base, client, snapshot], overwrite) => {
        const { to } = merge(asset, base, client, snapshot, { overwrite });
        expect(merge(asset, snapshot, to, snapshot).to).toEqual(to);
      }),
    );
  });
});

const field = (label: string, more: object = {}): Spec => ({ label, kind: "text", options: [], groups: [], ...more });

describe("a field", () => {
  test("that both have changed stays, and is told; or is overwritten", () => {
    expect(merge(FIELD, field("A"), field("B"), field("C"))).toMatchObject({ to: field("B"), conflicts: ["label both_changed"] });
    expect(merge(FIELD, field("A"), field("B"), field("C"), { overwrite: true })).toMatchObject({
      to: field("C"),
      conflicts: [],
    });
    expect(merge(FIELD, field("A"), field("B"), field("A"), { overwrite: true }).to).toEqual(field("A"));
    expect(merge(FIELD, null, field("B"), field("C"))).toMatchObject({ to: field("B"), conflicts: ["label both_changed"] });
  });

  test("that never changes stays under every policy", () => {
    for (const overwrite of [false, true]) {
      const { to, conflicts } = merge(FIELD, null, field("A"), field("A", { kind: "number" }), { overwrite });
      expect([to.kind, conflicts]).toEqual(["text", ["kind type_stays"]]);
    }
  });

  test("that is a set is merged element by element", () => {
    const groups = (...list: string[]) => field("A", { groups: list });
    const { to, conflicts } = merge(FIELD, groups("a", "b", "c"), groups("b", "c", "x"), groups("a", "c", "y"));
    expect([to.groups, conflicts]).toEqual([["c", "x", "y"], []]);
  });
});

const stage = (key: string, more: object = {}) => ({
  key,
  name: key,
  kind: key.startsWith("z") ? "done" : "open",
  needs: [],
  ...more,
});
const board = (...stages: Spec[]): Spec => ({ name: "Board", is_default: false, stages });
const keysOf = ({ stages }: Spec) => (stages as readonly Spec[]).map(({ key }) => key).join(" ");
const [a, b, c, z] = [stage("a"), stage("b"), stage("c"), stage("z")];
const own = stage("~#9", { name: "Own" });

describe("a list", () => {
  test("takes what is new, after its own predecessor, and keeps what was made here", () => {
    expect(keysOf(merge(BOARD, board(a, z), board(a, own, z), board(a, b, z, c)).to)).toBe("a b ~#9 z c");
    expect(keysOf(merge(BOARD, board(a, z), board(own, a, z), board(b, a, z)).to)).toBe("b ~#9 a z");
  });

  test("has the order of who has moved something; the client's, where both have", () => {
    const order = (client: Spec[], snapshot: Spec[], overwrite = false) => {
      const { to, conflicts } = merge(BOARD, board(a, b, z), board(...client), board(...snapshot), { overwrite });
      return [keysOf(to), ...conflicts];
    };
    expect(order([a, own, b, z], [z, b, a])).toEqual(["z b a ~#9"]);
    expect(order([b, a, z], [a, b, c, z])).toEqual(["b c a z"]);
    expect(order([b, a, z], [z, a, b])).toEqual(["b a z", "stages/~order both_changed"]);
    expect(order([b, a, z], [z, a, b], true)).toEqual(["z a b"]);
    expect(order([b, a, z], [b, a, z])).toEqual(["b a z"]);
  });

  test("loses what is gone from the snapshot, unless it was edited or is in use", () => {
    const gone = (client: Spec, more: Partial<Merging> = {}) => {
      const { to, conflicts, held, released } = merge(BOARD, board(a, b, z), board(a, client, z), board(a, z), more);
      return { keys: keysOf(to), conflicts, held, released };
    };
    const edited = stage("b", { name: "Mine" });
    expect(gone(b)).toEqual({ keys: "a z", conflicts: [], held: [], released: [] });
    expect(gone(edited)).toEqual({ keys: "a b z", conflicts: ["stages/b edited_here"], held: [], released: ["b"] });
    expect(gone(edited, { overwrite: true }).keys).toBe("a z");
    const inUse = { keys: "a b z", conflicts: ["stages/b in_use"], held: ["b"], released: [] };
    expect(gone(b, { uses: () => 3 })).toEqual(inUse);
    expect(gone(edited, { uses: () => 3, overwrite: true })).toEqual(inUse);
  });

  test("does not get back what was deleted here, unless it is overwritten", () => {
    const deleted = (snapshot: Spec, overwrite = false) => {
      const { to, conflicts } = merge(BOARD, board(a, b, z), board(a, z), board(a, snapshot, z), { overwrite });
      return [keysOf(to), ...conflicts];
    };
    expect(deleted(b)).toEqual(["a z"]);
    expect(deleted(stage("b", { name: "New" }))).toEqual(["a z", "stages/b deleted_here"]);
    expect(deleted(b, true)).toEqual(["a b z"]);
  });

  test("tries again to lose what was in use", () => {
    const held = new Map<string, Value>([["b", { name: "b", kind: "open", needs: [] }]]);
    expect(keysOf(merge(BOARD, board(a, z), board(a, b, z), board(a, z), { held }).to)).toBe("a z");
  });

  test("has no more items than its schema allows, and no name twice", () => {
    const some = ["a", "b", "c", "d", "z"].map((key) => stage(key));
    const full = merge(BOARD, board(...some), board(...some, own), board(...some, stage("e"), stage("f")));
    expect([keysOf(full.to), ...full.conflicts]).toEqual(["a b c d z ~#9", "stages/e limit_reached", "stages/f limit_reached"]);
    const renamed = merge(BOARD, board(a, z), board(a, own, z), board(stage("a", { name: "OWN", needs: ["x"] }), z));
    expect([(renamed.to.stages as Spec[])[0], ...renamed.conflicts]).toEqual([{ ...a, needs: ["x"] }, "stages/a name_taken"]);
    const taken = merge(BOARD, board(a, z), board(a, own, z), board(a, stage("b", { name: "own" }), z));
    expect([keysOf(taken.to), ...taken.conflicts]).toEqual(["a ~#9 z", "stages/b name_taken"]);
  });

  test("stays as it is where both sides together would be invalid", () => {
    const base = board(a, b, z);
    const { to, conflicts, held } = merge(BOARD, base, { ...board(b, z), name: "Mine" }, { ...board(a, z), is_default: true });
    expect([to.name, to.is_default, keysOf(to), conflicts, held]).toEqual(["Mine", true, "b z", ["stages not_valid"], ["b"]]);
  });

  test("that stays as it is has no conflicts of its own, releases nothing, and what came with the snapshot waits to go", () => {
    const [done, mine] = [stage("z2"), stage("z2", { name: "Mine" })];
    const base = board(a, b, z, done);
    const client = { ...board(b, stage("z", { name: "Z1" }), mine, stage("~#9", { name: "Own", kind: "done" })), name: "Mine" };
    const snapshot = { ...board(a, stage("z", { name: "Z2" })), name: "Theirs" };
    expect(merge(BOARD, base, client, snapshot)).toEqual({
      to: client,
      conflicts: ["name both_changed", "stages not_valid"],
      held: ["b", "z2"],
      released: [],
    });
  });

  test("of a value and of an item is in conflict by itself, and the others are merged", () => {
    const merged = merge(
      BOARD,
      board(a, z),
      board(stage("a", { name: "A1" }), z),
      board(stage("a", { name: "A2", needs: ["x"] }), z),
    );
    expect(merged).toMatchObject({
      to: board(stage("a", { name: "A1", needs: ["x"] }), z),
      conflicts: ["stages/a/name both_changed"],
    });
  });

  test("without an order has items by their names; what repeats one was made here", () => {
    const rule = (name: string, points: number) => ({ name, field: "mail", points });
    const rules = (...list: Spec[]): Spec => SCORING.complete({ rules: list });
    const merged = merge(
      SCORING,
      rules(rule("A", 1), rule("B", 1)),
      rules(rule("A", 1), rule("A", 7), rule("B", 1)),
      rules(rule("A", 2), rule("C", 1)),
    );
    expect(merged).toMatchObject({ to: rules(rule("A", 2), rule("A", 7), rule("C", 1)), conflicts: [] });
  });
});
