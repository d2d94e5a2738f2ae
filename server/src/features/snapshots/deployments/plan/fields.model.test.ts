import { expect, test } from "vitest";
import { BOARD, SCORING } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import type { Asset, Spec } from "../../../accounts/configuring/index.ts";
import { keyed } from "../merge/keyed.model.ts";
import { fieldsOf } from "./fields.model.ts";

const stage = (name: string, needs: string[] = []) => ({ name, kind: "open", needs });
const board = (name: string, stages: Record<string, object>): Spec => ({
  name,
  is_default: false,
  stages: Object.entries(stages).map(([key, value]) => ({ key, ...value })),
});
type Sides = [base: Spec | null, client: Spec | null, snapshot: Spec | null, result: Spec | null];
const fields = (asset: Asset, sides: Sides, ...conflicts: string[]) => {
  const [base, client, snapshot, result] = sides.map((spec) => (spec === null ? null : keyed(asset, spec)));
  return fieldsOf(
    asset,
    { base: base ?? null, client: client ?? null, snapshot: snapshot ?? null, result: result ?? null },
    new Set(conflicts),
  );
};

const [fresh, offer, won, own, call] = ["New", "Offer", "Won", "Own", "Call"].map((name) => stage(name)) as [
  object,
  object,
  object,
  object,
  object,
];
const sides: Sides = [
  board("Sales", { fresh, offer, won }),
  board("Mine", { fresh, offer, won, "~#3": own }),
  board("Sales 2", { won, fresh: stage("First"), call }),
  board("Sales 2", { won, fresh: stage("First"), "~#3": own, call }),
];
const NAME = { path: "name", base: "Sales", client: "Mine", snapshot: "Sales 2", result: "Sales 2" };
const RENAMED = { path: "stages/fresh/name", base: "New", client: "New", snapshot: "First", result: "First" };
const GONE = { path: "stages/offer", base: offer, client: offer, snapshot: null, result: null };
const ADDED = { path: "stages/call", base: null, client: null, snapshot: call, result: call };
const ORDER = {
  path: "stages/~order",
  base: ["fresh", "won"],
  client: ["fresh", "won", "~#3"],
  snapshot: ["won", "fresh"],
  result: ["won", "fresh", "~#3"],
};

test("the fields are those that change: values, items that come or go, members of items, and the order of what stays", () => {
  expect(fields(BOARD, sides)).toEqual([NAME, RENAMED, GONE, ADDED, ORDER]);
});

test("what does not change is there where it is in conflict: a value, a whole item or a member of one", () => {
  const of = (value: unknown) => ({ base: value, client: value, snapshot: value, result: value });
  expect(fields(BOARD, sides, "is_default", "stages/won", "stages/fresh/kind")).toEqual([
    NAME,
    { path: "is_default", ...of(false) },
    RENAMED,
    { path: "stages/fresh/kind", ...of("open") },
    GONE,
    { path: "stages/won", ...of(won) },
    ADDED,
    ORDER,
  ]);
  // A whole item and its members are not told both.
  expect(fields(BOARD, sides, "stages/fresh")).toEqual([NAME, RENAMED, GONE, ADDED, ORDER]);
});

test("of what is made all fields are there, and of a list without an order no order", () => {
  const rule = { name: "Mail", field: "mail", points: 1 };
  const made = (path: string, value: unknown) => ({ path, base: null, client: null, snapshot: value, result: value });
  const spec = board("Sales", { won });
  expect(fields(BOARD, [null, null, spec, spec])).toEqual([
    made("name", "Sales"),
    made("is_default", false),
    made("stages/won", won),
  ]);
  expect(fields(SCORING, [null, null, { rules: [rule] }, { rules: [rule] }])).toEqual([made("rules/mail", rule)]);
  expect(fields(SCORING, [null, { rules: [rule] }, null, { rules: [{ ...rule, points: 2 }] }])).toEqual([
    { path: "rules/mail/points", base: null, client: 1, snapshot: null, result: 2 },
  ]);
});
