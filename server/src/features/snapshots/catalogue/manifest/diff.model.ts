import { equal, type Value } from "../../../accounts/configuring/index.ts";
import type { Manifest } from "./model.ts";

export type DiffField = { path: string; from: Value; to: Value };
export type DiffStep = { type: string; key: string; action: "create" | "update" | "remove"; fields: DiffField[] };

/** What changes from one manifest to another, in the order of the newer one; what is gone comes last. */
export function diffManifests(from: Manifest, to: Manifest): DiffStep[] {
  const nameOf = ({ type, key }: { type: string; key: string }) => `${type}/${key}`;
  const before = new Map(from.assets.map((asset) => [nameOf(asset), asset.spec]));
  const after = new Set(to.assets.map(nameOf));
  const kept = to.assets.flatMap(({ type, key, spec }): DiffStep[] => {
    const old = before.get(nameOf({ type, key }));
    if (old === undefined) return [{ type, key, action: "create", fields: [] }];
    const members = Object.entries(spec).filter(([name, value]) => !equal(old[name], value));
    const fields = members.map(([name, value]) => ({ path: `/${name}`, from: old[name] ?? null, to: value }));
    return fields.length === 0 ? [] : [{ type, key, action: "update", fields }];
  });
  const gone = from.assets.filter((asset) => !after.has(nameOf(asset)));
  return [...kept, ...gone.map(({ type, key }): DiffStep => ({ type, key, action: "remove", fields: [] }))];
}
