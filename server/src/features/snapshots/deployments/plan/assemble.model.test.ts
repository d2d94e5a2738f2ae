import { describe, expect, test } from "vitest";
import { PureAccount } from "../../../../../test/harness/snapshots/pure-account.ts";
import { PureSnapshot } from "../../../../../test/harness/snapshots/pure-deployments.ts";
import { SYNTHETIC } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import type { Live, ManifestAsset, Spec } from "../../../accounts/configuring/index.ts";
import type { Step } from "./model.ts";

const complete = (type: string, key: string, spec: object): ManifestAsset => {
  const asset = SYNTHETIC.find((one) => one.type === type);
  return { type, key, spec: asset?.complete(spec as Spec) as Spec };
};
const spec = (label: string) => ({ label, kind: "text", options: [], groups: [] });
const field = (key: string, label: string) => complete("field", key, { label });
const stage = (key: string, name = key) => ({ key, name, kind: key === "won" ? "done" : "open", needs: [] });
const bare = ({ key: _, ...value }: ReturnType<typeof stage>) => value;
const board = (name: string, ...stages: object[]) => ({ name, is_default: false, stages });
const [NEW, OFFER, CALL, WON] = ["new", "offer", "call", "won"].map((key) => stage(key)) as [
  ReturnType<typeof stage>,
  ReturnType<typeof stage>,
  ReturnType<typeof stage>,
  ReturnType<typeof stage>,
];
const START = stage("new", "Start");

/**
 * A field and a board that change in version 2, of each one that goes, a field that stays and one that comes. Meanwhile the account has
 * named a stage that version 2 renames. The ids are numbered from acc_0005 on.
 */
function deployed() {
  const account = new PureAccount("acc");
  const one = [field("c.a", "B"), field("c.b", "Gone"), field("c.u", "Same")];
  const two = [field("c.a", "O"), field("c.u", "Same"), field("c.n", "Made")];
  const first = [complete("board", "sales", board("sales", NEW, OFFER, WON)), complete("board", "old", board("old", NEW, WON))];
  const second = [complete("board", "sales", board("sales", stage("new", "First"), CALL, WON))];
  const snapshot = new PureSnapshot([{ assets: [...one, ...first] }, { assets: [...two, ...second] }]);
  snapshot.deploy(account, 1, "merge");
  const sales = account.recordsOf("board").find((record) => record.spec.name === "sales") as Live;
  sales.spec = board("sales", bare(START), bare(OFFER), bare(WON)) as unknown as Spec;
  return { account, snapshot, done: snapshot.deploy(account, 2, "merge") };
}
const stepsOf = (steps: readonly Step[]) =>
  steps.map(({ key, name, action, fields, conflicts }) => [
    [key, name, action],
    ...fields.map(({ path, client, result }) => [path, client, result]),
    ...conflicts.map(({ code, path }) => `${code} ${path}`),
  ]);
const update = (key: string, id: string, parts: (string | null)[], to: object) => ({ do: "update", key, id, parts, to });
const remove = (key: string, id: string, unmade: boolean) => ({ do: "remove", key, id, unmade });

describe("a plan", () => {
  const { done } = deployed();

  test("says which version comes after which, what is done to each asset, and counts it", () => {
    const { steps, ...head } = done.plan;
    expect(head).toEqual({
      format: 1,
      snapshot_id: "snap_1",
      version: 2,
      previous_version: 1,
      conflict_policy: "merge",
      state: "of these accounts",
      counts: { create: 1, update: 2, remove: 2, unchanged: 1, conflict: 1 },
    });
    expect(stepsOf(steps)).toEqual([
      [["c.b", "Gone", "remove"]],
      [
        ["c.a", "O", "update"],
        ["/label", "B", "O"],
      ],
      [
        ["c.n", "Made", "create"],
        ["/label", null, "Made"],
        ["/kind", null, "text"],
        ["/groups", null, []],
      ],
      [["old", "old", "remove"]],
      [
        ["sales", "sales", "update"],
        ["/stages/new/name", "Start", "Start"],
        ["/stages/offer", bare(OFFER), null],
        ["/stages/call", null, bare(CALL)],
        "both_changed /stages/new/name",
      ],
    ]);
  });

  test("names the records that change, with the ids of the parts that stay, and what is to be asked about before it goes", () => {
    expect(done.changes).toEqual({
      field: [
        remove("c.b", "acc_0006", false),
        update("c.a", "acc_0005", [], spec("O")),
        { do: "create", key: "c.n", to: spec("Made") },
      ],
      board: [
        remove("old", "acc_0012", false),
        update("sales", "acc_0008", ["acc_0009", null, "acc_0011"], board("sales", START, CALL, WON)),
      ],
    });
    expect(done.removals).toEqual({
      field: [{ id: "acc_0006", parts: [] }],
      board: [
        { id: "acc_0012", parts: [] },
        { id: "acc_0008", parts: ["acc_0010"] },
      ],
    });
  });

  test("keeps what was before and after, and the ids, for a rollback", () => {
    expect(done.undo.map(({ key, did, from, to }) => [key, did, from, to])).toEqual([
      ["c.b", "remove", spec("Gone"), null],
      ["c.a", "update", spec("B"), spec("O")],
      ["c.n", "create", null, spec("Made")],
      ["old", "remove", board("old", NEW, WON), null],
      ["sales", "update", board("sales", START, OFFER, WON), board("sales", START, CALL, WON)],
    ]);
    expect(done.ids).toEqual({
      "field/c.b": { id: "acc_0006", parts: {} },
      "field/c.a": { id: "acc_0005", parts: {} },
      "field/c.n": { id: "acc_0015", parts: {} },
      "board/old": { id: "acc_0012", parts: { new: "acc_0013", won: "acc_0014" } },
      "board/sales": { id: "acc_0008", parts: { new: "acc_0009", offer: "acc_0010", won: "acc_0011", call: "acc_0016" } },
    });
  });

  test("leaves an install with the base of each record, the parts that came with it, and what was removed", () => {
    const { snapshot } = deployed();
    const [made, removed] = [{ made: true }, { base: 1, made: true, removed: true }];
    expect(snapshot.install).toEqual({
      version: 2,
      entries: {
        "field/c.a": { id: "acc_0005", base: 2, parts: {}, ...made },
        "field/c.b": { id: "acc_0006", parts: {}, ...removed },
        "field/c.u": { id: "acc_0007", base: 2, parts: {}, ...made },
        "board/sales": { id: "acc_0008", base: 2, parts: { new: "acc_0009", call: "acc_0016", won: "acc_0011" }, ...made },
        "board/old": { id: "acc_0012", parts: { new: "acc_0013", won: "acc_0014" }, ...removed },
        "field/c.n": { id: "acc_0015", base: 2, parts: {}, ...made },
      },
    });
  });

  test("back is one, too: what was made is unmade, what was removed is revived, and parts have their ids again", () => {
    const { account, snapshot, done: before } = deployed();
    const { plan, changes, removals } = snapshot.rollback(account, before);
    expect(plan).toMatchObject({ version: 1, previous_version: 2, conflict_policy: "merge" });
    expect(plan.counts).toEqual({ create: 0, update: 4, remove: 1, unchanged: 0, conflict: 0 });
    expect(changes).toEqual({
      field: [
        remove("c.n", "acc_0015", true),
        { ...update("c.b", "acc_0006", [], spec("Gone")), do: "revive" },
        update("c.a", "acc_0005", [], spec("B")),
      ],
      board: [
        { ...update("old", "acc_0012", ["acc_0013", "acc_0014"], board("old", NEW, WON)), do: "revive" },
        update("sales", "acc_0008", ["acc_0009", "acc_0010", "acc_0011"], board("sales", START, OFFER, WON)),
      ],
    });
    expect(removals).toEqual({
      field: [{ id: "acc_0015", parts: [] }],
      board: [{ id: "acc_0008", parts: ["acc_0016"] }],
    });
    const entry = { id: "acc_0015", base: 2, parts: {}, made: true, removed: true };
    expect(snapshot.install).toEqual({ ...before.previous, entries: { ...before.previous?.entries, "field/c.n": entry } });
  });

  test("whose account has adopted a record says so, and does not count it as made", () => {
    const account = new PureAccount("acc");
    account.make("field", "c.a", spec("O"));
    const snapshot = new PureSnapshot([{ assets: [field("c.a", "O")] }]);
    const { plan, changes } = snapshot.deploy(account, 1, "merge");
    expect([stepsOf(plan.steps), plan.counts.unchanged, changes]).toEqual([[[["c.a", "O", "adopt"]]], 1, {}]);
    expect(plan.previous_version).toBeNull();
    expect(snapshot.install?.entries).toEqual({ "field/c.a": { id: "acc_0005", base: 1, parts: {}, made: false } });
  });
});
