import { type Asset, equal, type ListMerging, type Spec, type Value } from "../../../accounts/configuring/index.ts";

/** An item of a list, without its key. */
export type Item = { readonly key: string; readonly value: Value };

/** A spec in the form in which it is merged: the items of its lists have keys, whether they come from a manifest or from an account. */
export type Keyed = { readonly values: Spec; readonly lists: Readonly<Record<string, readonly Item[]>> };

/** The key of what was made in the account, by its position there. No key of a manifest starts like it, nor does a name in a path. */
export const madeHere = (position: number) => `~#${position}`;
export const isMadeHere = (key: string) => key.startsWith("~#");

type List = [member: string, how: ListMerging];

/** The lists of the types, which are asked for with every record. */
const lists = new WeakMap<Asset, List[]>();

/** Its lists, by member. */
export function listsOf(asset: Asset): readonly List[] {
  const known = lists.get(asset);
  if (known !== undefined) return known;
  const found = Object.entries(asset.merge).flatMap(([member, how]): List[] => (typeof how === "object" ? [[member, how]] : []));
  lists.set(asset, found);
  return found;
}

/** The list whose items have ids in an account, such as the stages of a pipeline. */
export function partsOf(asset: Asset): List | undefined {
  return listsOf(asset).find(([, how]) => how.parts);
}

export const itemsOf = (spec: Spec, member: string) => spec[member] as readonly Value[];

/** Names may contain what paths are made of. */
const inPath = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A spec of a manifest, or one of an account with the key of each part. */
export function keyed(asset: Asset, spec: Spec, parts?: readonly string[]): Keyed {
  const lists = listsOf(asset).map(([member, how]) => {
    const items = itemsOf(spec, member);
    return [member, how.parts ? keyedParts(items, parts) : keyedByName(items, how)] as const;
  });
  const values = Object.entries(spec).filter(([member]) => typeof asset.merge[member] !== "object");
  return { values: { ...newerValues(asset, spec), ...Object.fromEntries(values) }, lists: Object.fromEntries(lists) };
}

/** What was stored before its type had a member has the default of that member. */
function newerValues(asset: Asset, spec: Spec): Spec {
  const newer = Object.entries(asset.merge).filter(([member, how]) => typeof how !== "object" && !(member in spec));
  if (newer.length === 0) return {};
  const complete = asset.complete(spec);
  return Object.fromEntries(newer.map(([member]) => [member, complete[member] as Value]));
}

function keyedParts(items: readonly Value[], parts: readonly string[] | undefined): Item[] {
  return items.map((item, index) => {
    const { key, ...value } = item as { readonly key: string; readonly [member: string]: Value };
    return { key: parts?.[index] ?? key, value };
  });
}

/** The first item of a name has it as its key; repeats are the account's own. */
function keyedByName(items: readonly Value[], how: ListMerging): Item[] {
  const seen = new Map<string, number>();
  return items.map((value) => {
    const name = inPath(how.name(value));
    const repeats = seen.get(name) ?? 0;
    seen.set(name, repeats + 1);
    return { key: repeats === 0 ? name : `${madeHere(repeats)}/${name}`, value };
  });
}

/** The spec again. Parts have their keys; `all` includes those that were made in the account. */
export function plain(asset: Asset, { values, lists }: Keyed, all: boolean): Spec {
  const members = Object.entries(asset.merge).flatMap(([member, how]) => {
    if (typeof how !== "object") return member in values ? [[member, values[member] as Value]] : [];
    const items = (lists[member] ?? []).map(({ key, value }) => {
      const shown = how.parts && (all || !isMadeHere(key));
      return shown ? { key, ...(value as Spec) } : value;
    });
    return [[member, items]];
  });
  return sorted(asset, Object.fromEntries(members));
}

/** Lists without an order are in that of the canonical form. */
function sorted(asset: Asset, spec: Spec): Spec {
  const unordered = listsOf(asset).filter(([, how]) => !how.ordered);
  if (unordered.length === 0) return spec;
  const complete = asset.complete(spec);
  return { ...spec, ...Object.fromEntries(unordered.map(([member]) => [member, complete[member] as Value])) };
}

export function valueIn(items: readonly Item[], key: string): Value | undefined {
  return items.find((item) => item.key === key)?.value;
}

/** Whether two specs are the same. Items are compared by their keys, and by their order where it counts. */
export function sameKeyed(asset: Asset, a: Keyed, b: Keyed): boolean {
  return (
    equal(a.values, b.values) &&
    listsOf(asset).every(([member, how]) => {
      const [left, right] = [a.lists[member] ?? [], b.lists[member] ?? []];
      if (left.length !== right.length) return false;
      if (how.ordered) return equal(left, right);
      return left.every(({ key, value }) => equal(value, valueIn(right, key)));
    })
  );
}
