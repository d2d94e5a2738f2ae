import {
  type Asset,
  canonicalText,
  equal,
  type Live,
  type ManifestAsset,
  type Spec,
  type Value,
} from "../../accounts/configuring/index.ts";
import type { Install, InstallEntry, State } from "./plan/model.ts";

export type Difference = { type: string; key: string; drift: "modified" | "missing" };

type Manifests = (version: number) => { readonly assets: readonly ManifestAsset[] };

/** What an account has otherwise than the snapshot brought it, each asset against the version that it was last brought to. */
export function differencesOf(assets: readonly Asset[], { entries }: Install, state: State, manifests: Manifests): Difference[] {
  return assets.flatMap((asset) => {
    const { type } = asset;
    const records = new Map((state[type] ?? []).map((live) => [live.id, live]));
    return Object.entries(entries).flatMap(([name, entry]): Difference[] => {
      if (!name.startsWith(`${type}/`) || entry.removed === true) return [];
      const key = name.slice(type.length + 1);
      const live = records.get(entry.id);
      if (live === undefined || live.archived) return [{ type, key, drift: "missing" }];
      const base = manifests(entry.base).assets.find((one) => one.type === type && one.key === key);
      const same = base !== undefined && equal(comparable(asset, base.spec), comparable(asset, keyed(asset, live, entry)));
      return same ? [] : [{ type, key, drift: "modified" }];
    });
  });
}

/** What is to be told first of some differences. */
export function driftOf(differences: readonly Difference[]): "none" | Difference["drift"] {
  if (differences.length === 0) return "none";
  return differences.some(({ drift }) => drift === "missing") ? "missing" : "modified";
}

/** The spec of a record with the keys of its parts, as far as they came with the snapshot. */
function keyed({ merge }: Asset, live: Live, entry: InstallEntry): Spec {
  const keys = new Map(Object.entries(entry.parts).map(([key, id]) => [id, key]));
  return Object.fromEntries(
    Object.entries(live.spec).map(([member, value]) => {
      const merging = merge[member];
      if (typeof merging !== "object" || !merging.parts || !Array.isArray(value)) return [member, value];
      const items = value.map((item, index) => ({ ...(item as Spec), key: keys.get(live.parts[index] ?? "") ?? null }));
      return [member, items];
    }),
  );
}

/** A spec whose lists without an order are sorted. */
function comparable({ merge }: Asset, spec: Spec): Spec {
  return Object.fromEntries(
    Object.entries(spec).map(([member, value]) => {
      const merging = merge[member];
      const unordered = merging === "set" || (typeof merging === "object" && !merging.ordered);
      return [member, unordered && Array.isArray(value) ? value.toSorted(byText) : value];
    }),
  );
}

function byText(a: Value, b: Value): number {
  return canonicalText(a) < canonicalText(b) ? -1 : 1;
}
