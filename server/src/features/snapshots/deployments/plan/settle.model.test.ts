import { describe, expect, test } from "vitest";
import { PureAccount } from "../../../../../test/harness/snapshots/pure-account.ts";
import { PureSnapshot } from "../../../../../test/harness/snapshots/pure-deployments.ts";
import { SYNTHETIC } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import type { ManifestAsset, Spec } from "../../../accounts/configuring/index.ts";

const complete = (type: string, key: string, spec: object): ManifestAsset => {
  const asset = SYNTHETIC.find((one) => one.type === type);
  return { type, key, spec: asset?.complete(spec as Spec) as Spec };
};
const field = (key: string) => complete("field", key, { label: key });
const STAGES = [
  { key: "new", name: "New", kind: "open" },
  { key: "won", name: "Won", kind: "done" },
];
const board = (key: string, more: object = {}) => complete("board", key, { name: key, stages: STAGES, ...more });

/** Deploys the versions one after the other, what the account does before each, and says what the last one did. */
function outcome(versions: ManifestAsset[][], before: Record<number, (account: PureAccount) => void> = {}) {
  const account = new PureAccount("acc");
  const snapshot = new PureSnapshot(versions.map((assets) => ({ assets })));
  let told: string[] = [];
  for (const index of versions.keys()) {
    before[index + 1]?.(account);
    const { plan } = snapshot.deploy(account, index + 1, "merge");
    told = plan.steps.map(({ key, action, conflicts }) =>
      [key, action, ...conflicts.map(({ code, path }) => `${code}${path}`)].join(" "),
    );
  }
  const live = account.live();
  const boards = Object.fromEntries((live.board ?? []).map(({ spec }) => [spec.name, spec.is_default]));
  return { told, fields: (live.field ?? []).map(({ key }) => key), boards, names: Object.keys(boards) };
}
const make =
  (type: string, ...keys: string[]) =>
  (account: PureAccount) => {
    for (const key of keys)
      account.make(type, type === "field" ? key : null, (type === "field" ? field(key) : board(key)).spec as Spec);
  };
const archiveAll = (type: string) => (account: PureAccount) => {
  for (const record of account.recordsOf(type)) if (record.spec.name !== "Main") record.archived = true;
};
const both =
  (...all: ((account: PureAccount) => void)[]) =>
  (account: PureAccount) => {
    for (const one of all) one(account);
  };

describe("a limit", () => {
  test("lets the first ones in, of each group by itself", () => {
    const here = make("field", "c.x", "c.y", "c.z");
    const { told, fields } = outcome([[field("c.a"), field("c.b"), field("d.a")]], { 1: here });
    expect(told).toEqual(["c.a create", "c.b keep limit_reached", "d.a create"]);
    expect(fields).toEqual(["c.x", "c.y", "c.z", "c.a", "d.a"]);
  });

  test("counts what is archived where that is part of it, and nowhere else", () => {
    const fields = both(make("field", "c.w", "c.x", "c.y", "c.z"), archiveAll("field"));
    expect(outcome([[field("c.a")]], { 1: fields }).told).toEqual(["c.a keep limit_reached"]);
    const boards = make("board", "b1", "b2", "b3", "b4");
    expect(outcome([[board("sales")]], { 1: boards }).told).toEqual(["sales keep limit_reached"]);
    expect(outcome([[board("sales")]], { 1: both(boards, archiveAll("board")) }).told).toEqual(["sales create"]);
  });

  test("has room for what comes in the place of something that goes, unless that still counts", () => {
    const boards = outcome([["a", "b", "c", "d"].map((key) => board(key)), ["a", "b", "c", "e"].map((key) => board(key))]);
    expect([boards.told, boards.names]).toEqual([
      ["d remove", "e create"],
      ["Main", "a", "b", "c", "e"],
    ]);
    const fields = ["c.a", "c.b", "c.c", "c.d"].map(field);
    expect(outcome([fields, [...fields.slice(0, 3), field("c.e")]]).told).toEqual(["c.d remove", "c.e keep limit_reached"]);
  });

  test("is for what returns, too, unless that has counted all along", () => {
    const full = { 3: make("board", "b1", "b2", "b3", "b4") };
    expect(outcome([[board("sales")], [], [board("sales")]], full).told).toEqual(["sales keep limit_reached"]);
    expect(outcome([[board("sales")], [], [board("sales")]]).told).toEqual(["sales revive"]);
    const others = { 3: make("field", "c.x", "c.y", "c.z") };
    expect(outcome([[field("c.a")], [], [field("c.a")]], others).told).toEqual(["c.a revive"]);
  });
});

describe("a name", () => {
  test("that a record of the account has is not taken: the record keeps its own, and takes the rest", () => {
    const more = { stages: [...STAGES, { key: "lost", name: "Lost", kind: "done" }] };
    const { told, names } = outcome([[board("sales")], [board("sales", { name: "Own", ...more })]], { 2: make("board", "own") });
    expect([told, names]).toEqual([["sales update name_taken"], ["Main", "sales", "own"]]);
  });

  test("that an archived board had is free", () => {
    const gone = both(make("board", "own"), archiveAll("board"));
    const { told, names } = outcome([[], [board("sales", { name: "Own" })]], { 1: gone });
    expect([told, names]).toEqual([["sales create"], ["Main", "Own"]]);
  });

  test("may change hands within a snapshot", () => {
    const { told, names } = outcome([
      [board("a"), board("b")],
      [board("a", { name: "b" }), board("b", { name: "a" })],
    ]);
    expect([told, names]).toEqual([
      ["a update", "b update"],
      ["Main", "b", "a"],
    ]);
  });
});

describe("the default", () => {
  const byDefault = { is_default: true };

  test("changes hands within a snapshot", () => {
    const { told, boards } = outcome([
      [board("a", byDefault), board("b")],
      [board("a"), board("b", byDefault)],
    ]);
    expect(told).toEqual(["a update", "b update"]);
    expect(boards).toEqual({ Main: false, a: false, b: true });
  });

  test("stays where a snapshot gives it up to nobody, and the rest of the board changes", () => {
    const { told, boards } = outcome([[board("a", byDefault)], [board("a", { name: "A2" })]]);
    expect([told, boards]).toEqual([["a update"], { Main: false, A2: true }]);
  });

  test("that is refused leaves the rest of a new board as it is", () => {
    const edited = (account: PureAccount) => {
      for (const record of account.recordsOf("board")) record.spec = { ...record.spec, name: "Edited" };
    };
    const { told, boards } = outcome([[board("a", byDefault)]], { 1: edited });
    expect([told, boards]).toEqual([["a create default_taken/is_default"], { Edited: true, a: false }]);
  });
});
