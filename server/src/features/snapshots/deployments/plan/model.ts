import type { ManifestAsset } from "../../../accounts/configuring/index.ts";
import { type Circumstances, fatesOf, planned, usesOf } from "./assemble.model.ts";
import { nameOf } from "./fate.model.ts";
import { installAfter } from "./install.model.ts";
import type { Planned, Policy } from "./shape.model.ts";

export { planRollback, type RollbackInput } from "./rollback.model.ts";
export * from "./shape.model.ts";

export type PlanInput = Circumstances & {
  version: number;
  manifest: { readonly assets: readonly ManifestAsset[] };
  bases(version: number): { readonly assets: readonly ManifestAsset[] };
  policy: Policy;
};

/** The plan of a deployment. It is pure: equal circumstances have equal plans. With the policy `fail` and conflicts, nothing may be applied. */
export function planFor(input: PlanInput): Planned {
  const { version, manifest, bases, install, policy } = input;
  const fates = fatesOf({
    ...input,
    ours: manifest.assets,
    entries: install?.entries ?? {},
    baseOf: (name, base) => bases(base).assets.find(({ type, key }) => nameOf(type, key) === name)?.spec ?? null,
    uses: usesOf(input.blocks),
  });
  return planned(input, { version, previous_version: install?.version ?? null, conflict_policy: policy }, fates, {
    install: (applied) => installAfter(version, install, fates, applied),
    unmade: () => false,
    gone: () => undefined,
    idOfPart: (fate, key) => fate.entry?.parts[key],
  });
}
