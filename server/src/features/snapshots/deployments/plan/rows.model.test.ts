import { describe, expect, test } from "vitest";
import { PureAccount } from "../../../../../test/harness/snapshots/pure-account.ts";
import { PureSnapshot } from "../../../../../test/harness/snapshots/pure-deployments.ts";
import { SYNTHETIC } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import type { Live, ManifestAsset, Spec } from "../../../accounts/configuring/index.ts";
import { differencesOf, driftOf } from "../drift.model.ts";
import { type Install, POLICIES, type Policy } from "./model.ts";

const complete = (type: string, key: string, spec: object): ManifestAsset => {
  const asset = SYNTHETIC.find((one) => one.type === type);
  return { type, key, spec: asset?.complete(spec as Spec) as Spec };
};
const field = (label: string, more: object = {}) => complete("field", "c.a", { label, ...more });
const stages = [
  { key: "new", name: "New", kind: "open" },
  { key: "won", name: "Won", kind: "done" },
];
const board = (key: string, more: object = {}) => complete("board", key, { name: key, stages, ...more });

/** A snapshot whose first versions were deployed, in an account that did something since. */
function scene(versions: ManifestAsset[][], since: (account: PureAccount) => void = () => undefined) {
  const account = new PureAccount("acc");
  const snapshot = new PureSnapshot(versions.map((assets) => ({ assets })));
  for (let version = 1; version < versions.length; version += 1) snapshot.deploy(account, version, "merge");
  since(account);
  return { account, snapshot, version: versions.length };
}
const first = (account: PureAccount, type = "field") => account.recordsOf(type).at(-1) as Live;
const relabel = (label: string) => (account: PureAccount) => {
  const record = first(account);
  record.spec = { ...record.spec, label };
};
const archive = (account: PureAccount) => Object.assign(first(account), { archived: true });

/** What a policy does to the only field: the step, its conflicts, and the label afterwards. */
function outcome(
  versions: ManifestAsset[][],
  policy: Policy,
  since?: (account: PureAccount) => void,
  others?: Set<string>,
): string {
  const { account, snapshot, version } = scene(versions, since);
  const { plan } = snapshot.deploy(account, version, policy, others);
  const [step] = plan.steps;
  const label =
    account
      .live()
      .field?.map(({ spec }) => spec.label)
      .join() || "none";
  return [step?.action ?? "-", ...(step?.conflicts.map(({ code }) => code) ?? []), label].join(" ");
}

const make = (spec: object) => (account: PureAccount) =>
  void account.make("field", "c.a", { label: "T", kind: "text", options: [], groups: [], ...spec });
const [B, O] = [field("B"), field("O")];

describe.each<[string, ManifestAsset[][], ((account: PureAccount) => void) | undefined, Record<Policy, string>]>([
  ["1 the same here", [[B], [O]], relabel("O"), { merge: "- O", skip: "- O", overwrite: "- O", fail: "- O" }],
  [
    "2 changed in the snapshot",
    [[B], [O]],
    undefined,
    { merge: "update O", skip: "update O", overwrite: "update O", fail: "update O" },
  ],
  ["3 changed here", [[B], [B]], relabel("T"), { merge: "- T", skip: "- T", overwrite: "update B", fail: "- T" }],
  [
    "4 changed on both sides",
    [[B], [O]],
    relabel("T"),
    { merge: "keep both_changed T", skip: "- T", overwrite: "update O", fail: "keep both_changed T" },
  ],
  ["5 deleted here", [[B], [B]], archive, { merge: "- none", skip: "- none", overwrite: "revive B", fail: "- none" }],
  [
    "6 deleted here, changed in the snapshot",
    [[B], [O]],
    archive,
    {
      merge: "keep deleted_here none",
      skip: "- none",
      overwrite: "revive O",
      fail: "keep deleted_here none",
    },
  ],
  [
    "7 gone from the snapshot",
    [[B], []],
    undefined,
    { merge: "remove none", skip: "remove none", overwrite: "remove none", fail: "remove none" },
  ],
  [
    "8 gone from the snapshot, edited here",
    [[B], []],
    relabel("T"),
    {
      merge: "keep edited_here T",
      skip: "- T",
      overwrite: "remove none",
      fail: "keep edited_here T",
    },
  ],
  ["9 new", [[O]], undefined, { merge: "create O", skip: "create O", overwrite: "create O", fail: "create O" }],
  [
    "10 new, a namesake here",
    [[O]],
    make({}),
    { merge: "adopt both_changed T", skip: "- T", overwrite: "adopt O", fail: "adopt both_changed T" },
  ],
  [
    "10 new, the same here",
    [[O]],
    make({ label: "O" }),
    { merge: "adopt O", skip: "adopt O", overwrite: "adopt O", fail: "adopt O" },
  ],
  [
    "12 another kind here",
    [[field("T", { kind: "number" })]],
    make({}),
    {
      merge: "adopt type_stays T",
      skip: "- T",
      overwrite: "adopt type_stays T",
      fail: "adopt type_stays T",
    },
  ],
])("%s", (_, versions, since, expected) => {
  test.each(POLICIES)("%s", (policy) => {
    expect(outcome(versions, policy, since)).toBe(expected[policy]);
  });
});

test.each<[Policy, string]>([
  ["merge", "keep owned_elsewhere T"],
  ["skip", "- T"],
  ["overwrite", "keep owned_elsewhere T"],
  ["fail", "keep owned_elsewhere T"],
])("11 another snapshot's record: %s", (policy, expected) => {
  expect(outcome([[O]], policy, make({}), new Set(["field/acc_0005"]))).toBe(expected);
});

test.each<[Policy, string]>([
  ["merge", "keep name_taken none"],
  ["skip", "keep name_taken none"],
  ["overwrite", "revive O"],
  ["fail", "keep name_taken none"],
])("12 an archived record of the client holds the name: %s", (policy, expected) => {
  const archived = (account: PureAccount) => {
    make({})(account);
    archive(account);
  };
  expect(outcome([[O]], policy, archived)).toBe(expected);
});

test("with the policy fail, a namesake that differs is a conflict, whatever could be merged", () => {
  expect(outcome([[field("T", { groups: ["x"] })]], "fail", make({}))).toContain("adopt name_taken");
  expect(outcome([[field("T", { groups: ["x"] })]], "merge", make({}))).toBe("adopt T");
});

test("an edited asset that is skipped keeps its base; a conflict that is settled does not return", () => {
  const { account, snapshot } = scene([[B], [O]], relabel("T"));
  snapshot.deploy(account, 2, "skip");
  expect(snapshot.install?.entries["field/c.a"]?.base).toBe(1);
  expect(snapshot.deploy(account, 2, "merge").plan.counts.conflict).toBe(1);
  expect(snapshot.plan(account, 2, "merge").plan.steps).toEqual([]);
});

test("what a deployment has archived is revived when it returns, with its id", () => {
  const { account, snapshot } = scene([[B], [], [O]]);
  const { id } = first(account);
  expect(snapshot.install?.entries["field/c.a"]).toMatchObject({ id, removed: true });
  expect(snapshot.deploy(account, 3, "merge").plan.counts).toMatchObject({ create: 0, update: 1 });
  expect(account.live().field).toMatchObject([{ id, spec: { label: "O" } }]);
  expect(snapshot.install?.entries["field/c.a"]).not.toHaveProperty("removed");
});

test("a stage in use stays in place, and goes with a later deployment once it is free", () => {
  const more = [stages[0], { key: "offer", name: "Offer", kind: "open" }, stages[1]];
  const { account, snapshot } = scene(
    [[board("sales", { stages: more })], [board("sales")], [board("sales", { name: "Sales 3" })]].slice(0, 2),
  );
  const stage = first(account, "board").parts[1] as string;
  account.used.add(stage);
  const { plan } = snapshot.deploy(account, 2, "overwrite");
  expect(plan.steps[0]?.conflicts).toMatchObject([{ code: "in_use", path: "/stages/offer" }]);
  expect(first(account, "board").parts).toContain(stage);
  account.used.clear();
  expect(snapshot.deploy(account, 2, "skip").plan.counts).toMatchObject({ update: 1, conflict: 0 });
  expect(first(account, "board").parts).not.toContain(stage);
});

describe("the default", () => {
  const byDefault = board("sales", { is_default: true });
  const conflicts = (since?: (account: PureAccount) => void) => {
    const { account, snapshot } = scene([[byDefault]], since);
    const { plan } = snapshot.deploy(account, 1, "overwrite");
    return plan.steps.flatMap((step) => [`${step.key} ${step.action}`, ...step.conflicts.map(({ code }) => code)]);
  };

  test("is taken from the untouched first record", () => {
    expect(conflicts()).toEqual(["sales create", "~#0 update"]);
  });

  test("is not taken from a record that somebody has edited", () => {
    const edited = (account: PureAccount) => {
      const record = first(account, "board");
      record.spec = { ...record.spec, name: "Edited" };
    };
    expect(conflicts(edited)).toEqual(["sales create", "default_taken"]);
  });

  test("stays with a record that is gone from the snapshot, until another has it", () => {
    const { account, snapshot } = scene([[byDefault], []]);
    const { plan } = snapshot.deploy(account, 2, "merge");
    expect(plan.steps).toMatchObject([{ key: "sales", action: "keep", conflicts: [{ code: "default_needed" }] }]);
  });

  test("returns with a rollback", () => {
    const { account, snapshot } = scene([[byDefault]]);
    const before = account.live();
    const deployed = snapshot.deploy(account, 1, "merge");
    snapshot.rollback(account, deployed);
    expect(account.live()).toEqual(before);
  });
});

describe("a rollback", () => {
  test("keeps what was edited since, and leaves it to the account", () => {
    const { account, snapshot, version } = scene([[B], [O, board("own")]]);
    const deployed = snapshot.deploy(account, version, "merge");
    relabel("T")(account);
    const made = first(account, "board");
    made.spec = { ...made.spec, name: "Mine" };
    const { plan } = snapshot.rollback(account, deployed);
    expect(plan.steps.map(({ key, action, conflicts }) => [key, action, conflicts.map(({ code }) => code)])).toEqual([
      ["c.a", "keep", ["both_changed"]],
      ["own", "keep", ["edited_here"]],
    ]);
    expect(snapshot.install).toEqual(deployed.previous);
  });

  test("leaves what it archives marked, so that the next deployment revives it", () => {
    const { account, snapshot, version } = scene([[B]]);
    const deployed = snapshot.deploy(account, version, "merge");
    const { id } = first(account);
    snapshot.rollback(account, deployed);
    expect(snapshot.install).toMatchObject({ version: null, entries: { "field/c.a": { id, removed: true } } });
    expect(snapshot.deploy(account, 1, "merge").plan.counts).toMatchObject({ update: 1, conflict: 0 });
    expect(account.live().field).toMatchObject([{ id }]);
  });
});

describe("drift", () => {
  const drift = ({ account, snapshot }: ReturnType<typeof scene>) =>
    differencesOf(
      SYNTHETIC,
      snapshot.install as Install,
      account.state,
      (version) => snapshot.versions[version - 1] ?? { assets: [] },
    );
  const after = (since?: (account: PureAccount) => void) => drift(scene([[B, board("sales")], []], since));

  test("is none as long as nobody edits", () => {
    expect([after(), driftOf([])]).toEqual([[], "none"]);
  });

  test("tells what was edited or deleted; what was deleted first", () => {
    expect(after(relabel("T"))).toEqual([{ type: "field", key: "c.a", drift: "modified" }]);
    expect(after(archive)).toEqual([{ type: "field", key: "c.a", drift: "missing" }]);
    const both = after((account) => {
      archive(account);
      const record = first(account, "board");
      record.spec = { ...record.spec, name: "Mine" };
    });
    expect([both.length, driftOf(both), driftOf(both.slice(1))]).toEqual([2, "missing", "modified"]);
  });

  test("is not what a deployment removed, nor what waits to go", () => {
    const more = [stages[0], { key: "offer", name: "Offer", kind: "open" }, stages[1]];
    const one = scene([[B, board("sales", { stages: more })], [board("sales")]]);
    one.account.used.add(first(one.account, "board").parts[1] as string);
    one.snapshot.deploy(one.account, 2, "merge");
    expect(one.snapshot.install?.entries["board/sales"]?.held).toEqual({ offer: 1 });
    expect(drift(one)).toEqual([]);
  });
});
