import type { Asset, ManifestAsset } from "../../accounts/configuring/index.ts";
import { fateOf, isEdited, recordOf } from "./plan/decide.model.ts";
import { isLive, nameOf, type Target } from "./plan/fate.model.ts";
import type { Install, State } from "./plan/model.ts";

export type Difference = { type: string; key: string; drift: "modified" | "missing" };

type Manifests = (version: number) => { readonly assets: readonly ManifestAsset[] };

/** What an account has otherwise than the snapshot brought it, each asset against the version that it was last brought to. */
export function differencesOf(assets: readonly Asset[], { entries }: Install, state: State, manifests: Manifests): Difference[] {
  const baseOf: Target["baseOf"] = (name, version) =>
    manifests(version).assets.find(({ type, key }) => nameOf(type, key) === name)?.spec ?? null;
  const target: Target = { assets, ours: [], entries, baseOf, others: new Set(), state, uses: new Map(), policy: "merge" };
  return assets.flatMap((asset) => {
    const { type } = asset;
    const own = Object.entries(entries).filter(([name, { removed }]) => name.startsWith(`${type}/`) && !removed);
    return own.flatMap(([name, entry]): Difference[] => {
      const key = name.slice(type.length + 1);
      const fate = fateOf(target, asset, key, recordOf(target, asset, entry), entry, null);
      if (!isLive(fate.record)) return [{ type, key, drift: "missing" }];
      return isEdited(target, fate) ? [{ type, key, drift: "modified" }] : [];
    });
  });
}

/** What is to be told first of some differences. */
export function driftOf(differences: readonly Difference[]): "none" | Difference["drift"] {
  if (differences.length === 0) return "none";
  return differences.some(({ drift }) => drift === "missing") ? "missing" : "modified";
}
