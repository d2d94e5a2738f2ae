import {
  type Asset,
  equal,
  type ListMerging,
  type ManifestAsset,
  type Spec,
  titleOf,
  type Value,
} from "../../../accounts/configuring/index.ts";
import { ASSETS } from "../assets.model.ts";
import type { Manifest } from "./model.ts";

export type DiffField = { path: string; from: Value; to: Value };
export type DiffStep = {
  type: string;
  key: string;
  name: string | null;
  action: "create" | "update" | "remove";
  fields: DiffField[];
};

const nameOf = ({ type, key }: ManifestAsset) => `${type}/${key}`;

/** What changes from one manifest to another, in the order of the newer one; what is gone comes last. */
export function diffManifests(from: Manifest, to: Manifest, assets: readonly Asset[] = ASSETS): DiffStep[] {
  const before = new Map(from.assets.map((asset) => [nameOf(asset), asset.spec]));
  const after = new Set(to.assets.map(nameOf));
  const steps = to.assets.flatMap((one): DiffStep[] => {
    const { type, key, spec } = one;
    const named = { type, key, name: titleOf(spec) };
    const old = before.get(nameOf(one));
    if (old === undefined) return [{ ...named, action: "create", fields: [] }];
    const fields = fieldsBetween(assets.find((asset) => asset.type === type)?.merge ?? {}, old, spec);
    return fields.length === 0 ? [] : [{ ...named, action: "update", fields }];
  });
  const gone = from.assets.filter((asset) => !after.has(nameOf(asset)));
  const removed = gone.map(({ type, key, spec }): DiffStep => ({ type, key, name: titleOf(spec), action: "remove", fields: [] }));
  return [...steps, ...removed];
}

/** The members that differ. The items of a list are compared one by one, and their order is a field of its own. */
function fieldsBetween(merge: Asset["merge"], from: Spec, to: Spec, path = ""): DiffField[] {
  const members = [...new Set([...Object.keys(to), ...Object.keys(from)])].filter((name) => !equal(from[name], to[name]));
  return members.flatMap((name): DiffField[] => {
    const how = merge[name];
    const [old, now] = [from[name] ?? null, to[name] ?? null];
    if (typeof how !== "object") return [{ path: `${path}/${name}`, from: old, to: now }];
    return listFields(how, `${path}/${name}`, old as readonly Value[], now as readonly Value[]);
  });
}

function listFields(how: ListMerging, path: string, from: readonly Value[], to: readonly Value[]): DiffField[] {
  const keyOf = (item: Value) => (how.parts ? String((item as Spec).key) : how.name(item));
  const [old, now] = [new Map(from.map((item) => [keyOf(item), item])), new Map(to.map((item) => [keyOf(item), item]))];
  const items = [...new Set([...now.keys(), ...old.keys()])].flatMap((key): DiffField[] => {
    const [before, after] = [old.get(key), now.get(key)];
    if (before === undefined || after === undefined) return [{ path: `${path}/${key}`, from: before ?? null, to: after ?? null }];
    if (equal(before, after)) return [];
    return fieldsBetween({}, before as Spec, after as Spec, `${path}/${key}`);
  });
  const common = (keys: Iterable<string>) => [...keys].filter((key) => old.has(key) && now.has(key));
  const [order, ordered] = [common(old.keys()), common(now.keys())];
  return how.ordered && !equal(order, ordered) ? [...items, { path: `${path}/~order`, from: order, to: ordered }] : items;
}
