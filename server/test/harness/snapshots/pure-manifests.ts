import fc from "fast-check";
import type { ManifestAsset, Spec } from "../../../src/features/accounts/configuring/index.ts";
import { SYNTHETIC } from "./synthetic-assets.ts";

export type PureManifest = { assets: ManifestAsset[] };

const texts = fc.constantFrom("a", "b", "New", "Offer");
const set = fc.uniqueArray(texts, { maxLength: 3 });

const field = fc.record({ label: texts, options: set, groups: set });

/** A stage's kind follows from its key, as it never changes. */
const stage = (key: string) =>
  fc.record({
    key: fc.constant(key),
    name: fc.constantFrom(`${key} 1`, `${key} 2`, key === "s1" ? "New" : `${key} 3`),
    needs: set,
  });
const KINDS: Record<string, string> = { s1: "open", s2: "open", s3: "open", s4: "done", s5: "done" };

const stages = fc
  .tuple(fc.subarray(["s1", "s2", "s3"], { minLength: 1 }), fc.subarray(["s4", "s5"], { minLength: 1 }))
  .chain(([open, done]) => fc.shuffledSubarray([...open, ...done], { minLength: open.length + done.length }))
  .chain((keys) => fc.tuple(...keys.map(stage)))
  .map((list) => list.map((one) => ({ ...one, kind: KINDS[one.key] as string })));

const rule = fc.record({ name: fc.constantFrom("Has mail", "a", "b"), field: fc.constant("mail"), points: fc.nat(3) });

export type Pool = {
  fields: string[];
  boards: Record<string, string[]>;
  scoring: "some" | "always" | "never";
  default: "some" | "own" | "none";
};
export const POOL: Pool = {
  fields: ["c.a", "c.b", "d.a", "d.o"],
  boards: { sales: ["Sales", "Main", "Care"], care: ["Care", "Sales"], own: ["Own"] },
  scoring: "some",
  default: "some",
};

/** Manifests over a few keys and names, so that those of two versions, and of accounts, meet. */
export function manifest(pool: Pool = POOL): fc.Arbitrary<PureManifest> {
  return fc.tuple(fieldsOf(pool), boardsOf(pool), scoringOf(pool)).map((lists) => ({
    assets: lists.flat().map(({ type, key, spec }) => {
      const asset = SYNTHETIC.find((one) => one.type === type);
      return { type, key, spec: asset?.complete(spec as Spec) as Spec };
    }),
  }));
}

function fieldsOf({ fields }: Pool) {
  return fc.subarray(fields).chain((keys) => fc.tuple(...keys.map((key) => field.map((spec) => ({ type: "field", key, spec })))));
}

/** Boards of different names. The default is any of them or none, always the board `own`, or never one of them. */
function boardsOf(pool: Pool) {
  const always = pool.default === "own" ? ["own"] : [];
  const others = Object.keys(pool.boards).filter((key) => !always.includes(key));
  return fc.tuple(fc.subarray(others), fc.constantFrom(...Object.keys(pool.boards), "none")).chain(([some, chosen]) => {
    const keys = [...always, ...some];
    const first = { some: chosen, own: "own", none: "none" }[pool.default];
    const specs = keys.map((key) => fc.record({ name: fc.constantFrom(...(pool.boards[key] ?? [])), stages }));
    return fc.tuple(...specs).map((list) => {
      const names = list.map(({ name }) => name);
      const boards = list.map((spec, at) => ({
        type: "board",
        key: keys[at] ?? "",
        spec: { ...spec, is_default: keys[at] === first },
      }));
      return boards.filter(({ spec }, at) => names.indexOf(spec.name) === at);
    });
  });
}

function scoringOf({ scoring }: Pool) {
  const rules = fc.uniqueArray(rule, { maxLength: 3, selector: ({ name }) => name });
  const one = rules.map((list) => [{ type: "scoring", key: "rules", spec: { rules: list } }]);
  return { always: one, some: fc.oneof(one, fc.constant([])), never: fc.constant([]) }[scoring];
}
