import { type Asset, equal, type Value } from "../../../accounts/configuring/index.ts";
import { type Conflict, DETAILS, type Tell } from "./conflict.model.ts";
import { mergeField } from "./field.model.ts";
import { type Keyed, listsOf, plain, sameKeyed, valueIn } from "./keyed.model.ts";
import { type ListVersions, mergeList } from "./list.model.ts";

/** An asset in its three versions. Without a base, everything was made here. */
export type Merging = { base: Keyed | null; client: Keyed; snapshot: Keyed; overwrite: boolean } & Pick<
  ListVersions,
  "known" | "held" | "uses"
>;

/** `held` and `released` are keys of parts: see `MergedList`. */
export type Merged = { to: Keyed; conflicts: Conflict[]; held: string[]; released: string[] };

/** Merges what the snapshot has changed since the base into what the account has. What was changed here stays, unless it is overwritten. */
export function mergeSpecs(asset: Asset, versions: Merging): Merged {
  const conflicts: Conflict[] = [];
  const tell: Tell = (code, path, detail) => conflicts.push({ code, path, detail });
  const { base, client, snapshot, overwrite } = versions;
  const values: Record<string, Value> = {};
  for (const [member, how] of Object.entries(asset.merge)) {
    if (typeof how === "object") continue;
    const field = {
      base: base?.values[member],
      client: client.values[member] as Value,
      snapshot: snapshot.values[member] as Value,
    };
    const { value, conflict } = mergeField(how, field, overwrite);
    if (conflict !== null) tell(conflict, member, DETAILS[conflict]);
    values[member] = value;
  }
  const lists = listsOf(asset).map(([member, how]) => {
    const list = { base: base?.lists[member] ?? [], client: client.lists[member] ?? [], snapshot: snapshot.lists[member] ?? [] };
    const below: Tell = (code, path, detail) => tell(code, `${member}/${path}`, detail);
    return [member, mergeList(how, { ...versions, ...list, max: itemsMax(asset, member) }, below)] as const;
  });
  const items = Object.fromEntries(lists.map(([member, list]) => [member, list.items]));
  const held = lists.flatMap(([, list]) => list.held);
  const released = lists.flatMap(([, list]) => list.released);
  return madeValid(asset, versions, { to: { values, lists: items }, conflicts, held, released });
}

/** The most items that the schema allows a list to have. */
function itemsMax(asset: Asset, member: string): number {
  const { properties } = asset.spec as { properties?: Record<string, { maxItems?: number }> };
  return properties?.[member]?.maxItems ?? Number.POSITIVE_INFINITY;
}

/** Each side alone is valid, but both together may not be. Then members stay as they are here, those at fault first. */
function madeValid(asset: Asset, versions: Merging, merged: Merged): Merged {
  const { client, snapshot } = versions;
  if (sameKeyed(asset, merged.to, client) || sameKeyed(asset, merged.to, snapshot)) return merged;
  const faultsOf = (spec: Keyed) => asset.validate(plain(asset, spec, false), null);
  const accepted = new Set(faultsOf(client).map(({ code, detail }) => `${code} ${detail}`));
  const fault = faultsOf(merged.to).find(({ code, detail }) => !accepted.has(`${code} ${detail}`));
  if (fault === undefined) return merged;
  const member = fault.pointer.replace("#", "").split("/")[1] ?? "";
  const differs = !equal(merged.to.values[member] ?? merged.to.lists[member], client.values[member] ?? client.lists[member]);
  return madeValid(asset, versions, asItIsHere(asset, versions, merged, differs ? member : null, fault.detail));
}

/** A merged asset with one member as it is in the account, or with all of them. */
function asItIsHere(asset: Asset, versions: Merging, merged: Merged, member: string | null, detail: string): Merged {
  const { client, snapshot, base, held } = versions;
  const concerns = (name: string) => member === null || name === member;
  const chosen = <T>(mine: Readonly<Record<string, T>>, theirs: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.keys(mine).map((name) => [name, (concerns(name) ? theirs : mine)[name] as T]));
  const conflicts = merged.conflicts.filter(({ path }) => !concerns(path.split("/")[0] ?? ""));
  const kept = listsOf(asset).filter(([name, { parts }]) => parts && concerns(name));
  const waiting = kept.flatMap(([name]) =>
    (client.lists[name] ?? []).flatMap(({ key }) => {
      const came = held.has(key) || valueIn(base?.lists[name] ?? [], key) !== undefined;
      return came && valueIn(snapshot.lists[name] ?? [], key) === undefined ? [key] : [];
    }),
  );
  return {
    to: { values: chosen(merged.to.values, client.values), lists: chosen(merged.to.lists, client.lists) },
    conflicts: [...conflicts, { code: "not_valid", path: member ?? "", detail }],
    held: kept.length > 0 ? waiting : merged.held,
    released: kept.length > 0 ? [] : merged.released,
  };
}
