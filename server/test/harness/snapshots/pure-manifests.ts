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

export type Pool = { fields: string[]; boards: Record<string, string[]>; scoring: boolean; default: "some" | "one" | "none" };
export const POOL: Pool = {
  fields: ["c.a", "c.b", "d.a", "d.o"],
  boards: { sales: ["Sales", "Main", "Care"], care: ["Care", "Sales"], own: ["Own"] },
  scoring: true,
  default: "some",
};

/** Manifests over a few keys and names, so that those of two versions, and of accounts, meet. */
export function manifest(pool: Pool = POOL): fc.Arbitrary<PureManifest> {
  const boards = fc.subarray(Object.keys(pool.boards)).chain((keys) =>
    fc
      .tuple(
        fc.tuple(...keys.map((key) => fc.record({ name: fc.constantFrom(...(pool.boards[key] ?? [])), stages }))),
        fc.nat(pool.default === "some" ? keys.length : Math.max(keys.length - 1, 0)),
      )
      .map(([list, first]) => {
        const names = list.map(({ name }) => name);
        return list.flatMap((one, at) => {
          if (names.indexOf(one.name) < at) return [];
          return [
            { type: "board", key: keys[at] as string, spec: { ...one, is_default: pool.default !== "none" && at === first } },
          ];
        });
      }),
  );
  const fields = fc
    .subarray(pool.fields)
    .chain((keys) => fc.tuple(...keys.map((key) => field.map((spec) => ({ type: "field", key, spec: spec as Spec })))));
  const scoring = pool.scoring
    ? fc.option(fc.uniqueArray(rule, { maxLength: 3, selector: ({ name }) => name }), { nil: undefined })
    : fc.constant(undefined);
  return fc.tuple(fields, boards, scoring).map(([some, more, rules]) => ({
    assets: [...some, ...more, ...(rules === undefined ? [] : [{ type: "scoring", key: "rules", spec: { rules } }])].map(
      ({ type, key, spec }) => ({
        type,
        key,
        spec: SYNTHETIC.find((asset) => asset.type === type)?.complete(spec as Spec) as Spec,
      }),
    ),
  }));
}
