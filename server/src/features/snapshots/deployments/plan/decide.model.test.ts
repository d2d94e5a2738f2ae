import { describe, expect, test } from "vitest";
import { PureAccount } from "../../../../../test/harness/snapshots/pure-account.ts";
import { PureSnapshot } from "../../../../../test/harness/snapshots/pure-deployments.ts";
import { SYNTHETIC } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import type { Live, ManifestAsset, Spec } from "../../../accounts/configuring/index.ts";
import type { Policy } from "./model.ts";

const complete = (type: string, key: string, spec: object): ManifestAsset => {
  const asset = SYNTHETIC.find((one) => one.type === type);
  return { type, key, spec: asset?.complete(spec as Spec) as Spec };
};
const stage = (key: string, name = key) => ({ key, name, kind: key === "won" ? "done" : "open" });
const [NEW, OFFER, WON] = ["new", "offer", "won"].map((key) => stage(key)) as [object, object, object];
const board = (key: string, more: object = {}) => complete("board", key, { name: key, stages: [NEW, WON], ...more });

/** An account that had the first version, and the snapshot. */
function scene(...versions: ManifestAsset[][]) {
  const account = new PureAccount("acc");
  const snapshot = new PureSnapshot(versions.map((assets) => ({ assets })));
  snapshot.deploy(account, 1, "merge");
  const sales = account.recordsOf("board").at(-1) as Live;
  const deploy = (version: number, policy: Policy = "merge") =>
    snapshot
      .deploy(account, version, policy)
      .plan.steps.map(({ key, action, conflicts }) => [key, action, ...conflicts.map(({ code }) => code)].join(" "));
  return { account, snapshot, sales, deploy, entries: () => snapshot.install?.entries ?? {} };
}
const SALES = [board("sales")];
const renamed = [board("sales", { name: "Sales 2" })];

describe("a record that was deleted here", () => {
  test.each<[Policy, number, string[]]>([
    ["merge", 2, ["sales keep deleted_here"]],
    ["fail", 2, ["sales keep deleted_here"]],
    ["skip", 1, []],
  ])("stays deleted with the policy %s, which is settled at version %i", (policy, base, told) => {
    const { sales, deploy, entries } = scene(SALES, renamed);
    sales.archived = true;
    expect([deploy(2, policy), entries()["board/sales"]?.base]).toEqual([told, base]);
  });

  test("comes back to be overwritten, and whether it is the default is the snapshot's to say", () => {
    const { account, sales, deploy } = scene(SALES, [board("sales", { is_default: true })], SALES);
    sales.archived = true;
    expect(deploy(2, "overwrite")).toEqual(["sales revive", "~#0 update"]);
    expect(account.live().board?.map(({ spec }) => [spec.name, spec.is_default])).toEqual([
      ["Main", false],
      ["sales", true],
    ]);
  });
});

describe("a record that is gone from the snapshot", () => {
  test("stays while it is in use, and goes once it is free", () => {
    const { account, sales, deploy, entries } = scene(SALES, []);
    account.used.add(sales.id);
    expect([deploy(2), sales.archived, entries()["board/sales"]]).toMatchObject([
      ["sales keep in_use"],
      false,
      { id: sales.id, base: 1 },
    ]);
    account.used.clear();
    expect([deploy(2), sales.archived, entries()["board/sales"]]).toMatchObject([["sales remove"], true, { removed: true }]);
  });

  test.each<[Policy, string[], boolean]>([
    ["merge", ["sales keep edited_here"], false],
    ["skip", [], true],
  ])("and was edited here stays; with the policy %s it is the account's own, or still the snapshot's", (policy, told, kept) => {
    const { sales, deploy, entries } = scene(SALES, []);
    sales.spec = { ...sales.spec, name: "Mine" };
    expect([deploy(2, policy), "board/sales" in entries(), sales.archived]).toEqual([told, kept, false]);
  });

  test("and that somebody has brought back is the account's own", () => {
    const { sales, deploy, entries } = scene(SALES, [], []);
    deploy(2);
    sales.archived = false;
    expect([deploy(3), entries(), sales.archived]).toEqual([[], {}, false]);
  });

  test("and was edited here can be adopted by another asset with its name at once", () => {
    const { sales, deploy, entries } = scene(SALES, [board("care", { name: "sales" })]);
    sales.spec = {
      ...sales.spec,
      stages: [{ name: "Start", kind: "open", needs: [] }, (sales.spec.stages as Spec[])[1] as Spec],
    };
    expect(deploy(2)).toEqual(["sales keep edited_here", "care adopt"]);
    expect(entries()).toMatchObject({ "board/care": { id: sales.id, base: 2, made: false } });
    expect(entries()).not.toHaveProperty("board/sales");
  });
});

describe("a board that is adopted", () => {
  test("has the keys of the snapshot for stages of the same names; the others stay the account's own", () => {
    const account = new PureAccount("acc");
    const own = account.make(
      "board",
      null,
      board("sales", { stages: [stage("x", "WON"), OFFER, NEW, stage("won", "Lost")] }).spec,
    );
    const snapshot = new PureSnapshot([{ assets: [board("sales", { stages: [NEW, OFFER] })] }]);
    own.spec = { ...own.spec, name: "Sales" };
    snapshot.deploy(account, 1, "merge");
    const [, offer, fresh] = own.parts;
    expect(snapshot.install?.entries["board/sales"]).toMatchObject({ id: own.id, parts: { new: fresh, offer }, made: false });
    expect(own.parts).toHaveLength(4);
  });
});

test("what was untouched since the account was opened is no edit: a snapshot that has it takes it over whole", () => {
  const main = board("main", { name: "Main", is_default: true, stages: [stage("a", "To do"), stage("won", "Done"), OFFER] });
  const account = new PureAccount("acc");
  const { plan } = new PureSnapshot([{ assets: [main] }]).deploy(account, 1, "skip");
  expect(plan.steps.map(({ key, action, conflicts }) => [key, action, conflicts])).toEqual([["main", "adopt", []]]);
  const [taken] = account.recordsOf("board") as [Live];
  expect((taken.spec.stages as Spec[]).map(({ name }) => name)).toEqual(["To do", "Done", "offer"]);
});
