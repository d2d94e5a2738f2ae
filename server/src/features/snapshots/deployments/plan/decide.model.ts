import { type Asset, equal, type Live, type ManifestAsset, type Spec, type Value } from "../../../accounts/configuring/index.ts";
import { itemsOf, type Keyed, keyed, madeHere, partsOf, sameKeyed, valueIn } from "../merge/keyed.model.ts";
import { mergeSpecs } from "../merge/model.ts";
import { become, type Fate, isBuiltin, isLive, leave, nameOf, type Target, tell } from "./fate.model.ts";
import type { InstallEntry } from "./shape.model.ts";

/** The fates of the assets of one type: of those that the snapshot has no longer, then of those that it has. */
export function decide(target: Target, asset: Asset): Fate[] {
  const ours = target.ours.filter(({ type }) => type === asset.type);
  const gone = Object.entries(target.entries)
    .filter(([name]) => name.startsWith(`${asset.type}/`))
    .map(([name, entry]) => ({ key: name.slice(asset.type.length + 1), entry }))
    .filter(({ key }) => !ours.some((one) => one.key === key))
    .map(({ key, entry }) => decideGone(target, asset, key, entry));
  const released = gone.filter(({ outcome }) => outcome === "released").map(({ record }) => record?.id);
  const mine = new Set(Object.values(target.entries).flatMap(({ id }) => (released.includes(id) ? [] : [id])));
  const here = ours.map((one) => {
    const entry = target.entries[nameOf(one.type, one.key)];
    return entry === undefined ? decideNew(target, asset, one, mine) : decideKnown(target, asset, one, entry);
  });
  const taken = new Set(here.map(({ record }) => record?.id));
  return [
    ...gone.map((fate) => (taken.has(fate.record?.id) ? { ...fate, record: null, client: null, to: null } : fate)),
    ...here,
  ];
}

/** An asset that the snapshot has, and that the account has or had from it. */
function decideKnown(target: Target, asset: Asset, { key, spec }: ManifestAsset, entry: InstallEntry): Fate {
  const fate = fateOf(target, asset, key, recordOf(target, asset, entry), entry, spec);
  if (isLive(fate.record)) return merge(target, fate);
  if (entry.removed || target.policy === "overwrite") return bringBack(target, fate);
  const unchanged = fate.base !== null && sameKeyed(asset, fate.base, keyed(asset, spec));
  leave(fate, target.policy === "skip" ? "same" : "brought");
  if (!unchanged && target.policy !== "skip")
    tell(fate, "deleted_here", "", "It has changed in the snapshot but was deleted here. It stays deleted.");
  return fate;
}

/** An asset that the account has not from the snapshot: it is made, unless its name is in use. */
function decideNew(target: Target, asset: Asset, { key, spec }: ManifestAsset, mine: ReadonlySet<string>): Fate {
  const name = asset.natural(spec, key);
  const namesakes = (target.state[asset.type] ?? []).filter(
    (one) => !mine.has(one.id) && asset.natural(one.spec, one.key) === name,
  );
  const live = namesakes.find(isLive);
  const namesake = live ?? (asset.archived_holds_name ? namesakes[0] : undefined);
  if (namesake === undefined) return bringBack(target, fateOf(target, asset, key, null, null, spec));
  const fate = fateOf(target, asset, key, namesake, null, spec);
  const owned = target.others.has(nameOf(asset.type, namesake.id));
  if (live !== undefined && !owned) return adopt(target, fate);
  if (!owned && target.policy === "overwrite") return bringBack(target, { ...fate, adopts: true });
  leave(fate, "same");
  if (live === undefined) tell(fate, "name_taken", "", "An archived record here has the same name.");
  else if (target.policy !== "skip") tell(fate, "owned_elsewhere", "", "The record of this name came with another snapshot.");
  return fate;
}

/** Takes over a record of the account that has the name of the asset. */
function adopt(target: Target, fate: Fate): Fate {
  const { base, client, snapshot } = fate;
  const differs = client !== null && snapshot !== null && !sameKeyed(fate.asset, client, snapshot);
  if (differs && base === null && target.policy === "skip") {
    leave(fate, "same");
    return fate;
  }
  const adopted = merge(target, { ...fate, adopts: true });
  if (differs && base === null && target.policy === "fail" && adopted.conflicts.length === 0)
    tell(adopted, "name_taken", "", "A record of this name is here, and differs.");
  return adopted;
}

/** An asset that the snapshot has no longer: its record is removed, unless it was edited here. */
function decideGone(target: Target, asset: Asset, key: string, entry: InstallEntry): Fate {
  const fate = fateOf(target, asset, key, recordOf(target, asset, entry), entry, null);
  if (!isLive(fate.record) || entry.removed) {
    leave(fate, isLive(fate.record) ? "released" : "same");
    return fate;
  }
  const uses = target.uses.get(fate.record.id) ?? 0;
  if (isEdited(target, fate) && target.policy !== "overwrite") {
    leave(fate, target.policy === "skip" ? "same" : "released");
    if (target.policy !== "skip")
      tell(fate, "edited_here", "", "It is gone from the snapshot but was edited here. It stays, as the account's own.");
  } else if (uses > 0) {
    leave(fate, "same");
    tell(
      fate,
      "in_use",
      "",
      `It is gone from the snapshot but in use here, by ${uses}. It stays until a deployment finds it free.`,
    );
  } else {
    fate.action = "remove";
    fate.to = null;
    fate.outcome = "removed";
  }
  return fate;
}

/** Merges the asset into its live record. `skip` leaves one that was edited as it is. */
function merge(target: Target, fate: Fate): Fate {
  const { asset, client, snapshot } = fate;
  const same = client !== null && snapshot !== null && sameKeyed(asset, client, snapshot);
  if (target.policy !== "skip" || same || !isEdited(target, fate)) return mergeInto(target, fate);
  leave(fate, "same");
  return fate;
}

function mergeInto(target: Target, fate: Fate): Fate {
  const { asset, client, snapshot } = fate;
  if (client === null || snapshot === null) return fate;
  const { to, conflicts, held, released } = mergeSpecs(asset, {
    base: fate.base,
    client,
    snapshot,
    overwrite: target.policy === "overwrite",
    known: new Set(Object.keys(fate.entry?.parts ?? {})),
    held: heldOf(target, fate),
    uses: (key) => target.uses.get(partId(fate, key) ?? "") ?? 0,
  });
  become(fate, to);
  return { ...fate, conflicts, held, released, outcome: "brought" };
}

/** Makes an asset, or revives its archived record. */
function bringBack(target: Target, fate: Fate): Fate {
  if (fate.record === null) return { ...fate, to: fate.snapshot, action: "create", outcome: "brought" };
  return { ...mergeInto(target, fate), action: "revive" };
}

/** An asset and its record, before anything is decided. */
export function fateOf(
  target: Target,
  asset: Asset,
  key: string,
  record: Live | null,
  entry: InstallEntry | null,
  spec: Spec | null,
): Fate {
  const snapshot = spec === null ? null : keyed(asset, spec);
  const client = record === null ? null : clientOf(asset, record, entry, snapshot);
  const from = entry === null ? null : target.baseOf(nameOf(asset.type, key), entry.base);
  const untouched = entry === null && isLive(record) && isBuiltin(asset, record.spec);
  return {
    asset,
    key,
    record,
    entry,
    base: untouched ? client : from === null ? null : keyed(asset, from),
    client,
    snapshot,
    conflicts: [],
    action: "keep",
    adopts: false,
    to: isLive(record) ? client : null,
    outcome: "same",
    held: [],
    released: [],
  };
}

/** What the account has. Whether an archived record was the default says nothing about what it is to be. */
function clientOf(asset: Asset, record: Live, entry: InstallEntry | null, snapshot: Keyed | null): Keyed {
  const client = keyed(asset, record.spec, partKeys(asset, record, entry, snapshot));
  if (isLive(record) || asset.exclusive === null) return client;
  return { ...client, values: { ...client.values, [asset.exclusive]: snapshot?.values[asset.exclusive] ?? false } };
}

export function recordOf(target: Target, asset: Asset, { id }: InstallEntry): Live | null {
  return target.state[asset.type]?.find((record) => record.id === id) ?? null;
}

/** The key of each part: the one that it came with, that of its namesake in the snapshot, or its position. */
function partKeys(asset: Asset, record: Live, entry: InstallEntry | null, snapshot: Keyed | null): string[] {
  const [member, how] = partsOf(asset) ?? [];
  if (member === undefined || how === undefined) return [];
  const keyById = new Map(Object.entries(entry?.parts ?? {}).map(([key, id]) => [id, key]));
  const keys = record.parts.map((id) => keyById.get(id));
  const free = (snapshot?.lists[member] ?? []).filter(({ key }) => !keys.includes(key));
  const namesake = (item: Value) => free.find(({ value }) => how.name(value) === how.name(item))?.key;
  const taken = new Set(keyById.values());
  const own = (position: number): string =>
    taken.has(madeHere(position)) ? own(position + record.parts.length) : madeHere(position);
  return itemsOf(record.spec, member).map((item, position) => keys[position] ?? namesake(item) ?? own(position));
}

/** The id of a part that the account has. */
export function partId({ asset, record, client }: Fate, key: string): string | undefined {
  const position = client?.lists[partsOf(asset)?.[0] ?? ""]?.findIndex((item) => item.key === key) ?? -1;
  return record?.parts[position];
}

/** The parts that should have gone with an earlier deployment, as they were in their last version. */
function heldOf(target: Target, { asset, key, entry }: Fate): Map<string, Value> {
  const member = partsOf(asset)?.[0] ?? "";
  const held = Object.entries(entry?.held ?? {}).flatMap(([part, version]): [string, Value][] => {
    const spec = target.baseOf(nameOf(asset.type, key), version);
    const value = spec === null ? undefined : valueIn(keyed(asset, spec).lists[member] ?? [], part);
    return value === undefined ? [] : [[part, value]];
  });
  return new Map(held);
}

/** Whether the account has changed a record since it was brought here. Parts that wait to go are no change. */
export function isEdited(target: Target, fate: Fate): boolean {
  const { asset, base, client } = fate;
  if (base === null || client === null) return true;
  const member = partsOf(asset)?.[0];
  if (member === undefined) return !sameKeyed(asset, base, client);
  const held = heldOf(target, fate);
  const items = (client.lists[member] ?? []).filter(({ key, value }) => !(held.has(key) && equal(value, held.get(key))));
  return !sameKeyed(asset, base, { ...client, lists: { ...client.lists, [member]: items } });
}
