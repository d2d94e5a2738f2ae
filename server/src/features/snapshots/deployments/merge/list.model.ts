import { equal, type ListMerging, type Spec, type Value } from "../../../accounts/configuring/index.ts";
import { DETAILS, type Tell } from "./conflict.model.ts";
import { mergeField } from "./field.model.ts";
import { type Item, isMadeHere, valueIn } from "./keyed.model.ts";
import { mergeOrder } from "./order.model.ts";
import { untangle } from "./untangle.model.ts";

/** A list in its three versions, and what is known about it beyond them. */
export type ListVersions = {
  base: readonly Item[];
  client: readonly Item[];
  snapshot: readonly Item[];
  /** The parts that the account has or had from the snapshot: what of them is not there was deleted. */
  known: ReadonlySet<string>;
  /** Parts that should have gone before but were in use, as they were then. */
  held: ReadonlyMap<string, Value>;
  max: number;
  overwrite: boolean;
  /** How many records use a part. */
  uses(key: string): number;
};

/** `held`: parts that should go but are in use. `released`: parts that are the account's own from now on. */
export type MergedList = { items: Item[]; held: string[]; released: string[] };

/** Merges a list item by item, then the order of the items. Conflicts are told with paths below the list. */
export function mergeList(how: ListMerging, list: ListVersions, tell: Tell): MergedList {
  const baseOf = (key: string) => list.held.get(key) ?? valueIn(list.base, key);
  const fates = list.client.map(({ key, value }) => {
    const snapshot = valueIn(list.snapshot, key);
    if (snapshot !== undefined) return { key, value: mergeItem(how, key, baseOf(key), value, snapshot, list, tell) };
    return { key, value, fate: isMadeHere(key) ? "stays" : withoutSnapshot(key, baseOf(key), value, list, tell) } as const;
  });
  const stay = fates.filter((one) => !("fate" in one) || one.fate !== "goes").map(({ key, value }): Item => ({ key, value }));
  const named = (fate: string) => fates.flatMap((one) => ("fate" in one && one.fate === fate ? [one.key] : []));
  const added = additions(how, list, baseOf, stay.length, tell);
  const items = how.parts ? withOwnNames(how, list.client, [...stay, ...added], tell) : [...stay, ...added];
  return { items: how.ordered ? arranged(list, items, tell) : items, held: named("held"), released: named("released") };
}

function mergeItem(
  how: ListMerging,
  key: string,
  base: Value | undefined,
  client: Value,
  snapshot: Value,
  { overwrite }: ListVersions,
  tell: Tell,
): Value {
  const members = Object.entries(how.members);
  if (members.length === 0) return client;
  const [b, c, s] = [base as Spec | undefined, client as Spec, snapshot as Spec];
  const merged = members.map(([member, merging]) => {
    const versions = { base: b?.[member], client: c[member] as Value, snapshot: s[member] as Value };
    const { value, conflict } = mergeField(merging, versions, overwrite);
    if (conflict !== null) tell(conflict, `${key}/${member}`, DETAILS[conflict]);
    return [member, value];
  });
  return Object.fromEntries(merged);
}

/** What becomes of an item that the account has and the snapshot has not, or no longer. */
function withoutSnapshot(key: string, base: Value | undefined, client: Value, list: ListVersions, tell: Tell) {
  if (base === undefined) return "stays";
  if (!list.overwrite && !equal(client, base)) {
    tell("edited_here", key, "It is gone from the snapshot but was edited here. It stays, as the account's own.");
    return "released";
  }
  const uses = list.uses(key);
  if (uses === 0) return "goes";
  tell("in_use", key, `It is gone from the snapshot but in use here, by ${uses}. It stays until a deployment finds it free.`);
  return "held";
}

/** The items of the snapshot that come into the account. */
function additions(
  how: ListMerging,
  list: ListVersions,
  baseOf: (key: string) => Value | undefined,
  staying: number,
  tell: Tell,
): Item[] {
  const missing = list.snapshot.filter(({ key, value }) => {
    if (valueIn(list.client, key) !== undefined) return false;
    const deleted = !list.overwrite && (how.parts ? list.known.has(key) : baseOf(key) !== undefined);
    if (deleted && !equal(baseOf(key), value))
      tell("deleted_here", key, "It has changed in the snapshot but was deleted here. It stays deleted.");
    return !deleted;
  });
  const room = Math.max(list.max - staying, 0);
  for (const { key } of missing.slice(room)) tell("limit_reached", key, `There are at most ${list.max}.`);
  return missing.slice(0, room);
}

/** No two parts have the same name: one that would take another's keeps its own, and a new one stays away. */
function withOwnNames(how: ListMerging, client: readonly Item[], items: readonly Item[], tell: Tell): Item[] {
  const parts = items.map(({ key, value }) => ({ key, value: value as Value | null, before: valueIn(client, key) ?? null }));
  const nameOf = (value: Value | null) => (value === null ? null : how.name(value));
  untangle(
    parts.map((part) => ({
      name: () => nameOf(part.value),
      changed: () => nameOf(part.value) !== nameOf(part.before),
      giveUp: () => {
        tell("name_taken", part.key, `Another one here has the name ${nameOf(part.value)}.`);
        part.value = part.before === null ? null : withNameOf(how.name, part.before as Spec, part.value as Spec);
      },
    })),
  );
  return parts.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }]));
}

/** A spec with the name that another has: the members that make the difference are its. */
export function withNameOf(nameOf: (spec: Spec) => string, named: Spec, spec: Spec): Spec {
  const members = Object.keys(spec).filter((member) => {
    return nameOf({ ...spec, [member]: named[member] as Value }) !== nameOf(spec);
  });
  return { ...spec, ...Object.fromEntries(members.map((member) => [member, named[member] as Value])) };
}

function arranged({ base, client, snapshot, overwrite }: ListVersions, items: readonly Item[], tell: Tell): Item[] {
  const keysOf = (list: readonly Item[]) => list.map(({ key }) => key);
  const there = new Set(keysOf(items));
  const { keys, conflict } = mergeOrder(keysOf(base), keysOf(client), keysOf(snapshot), there, overwrite);
  if (conflict) tell("both_changed", "~order", "The order was changed here and in the snapshot. What is here stays.");
  return keys.flatMap((key) => items.filter((item) => item.key === key));
}
