import type { Applied } from "../../../accounts/configuring/index.ts";
import { type Item, isMadeHere, partsOf } from "../merge/keyed.model.ts";
import { type Fate, nameOf } from "./fate.model.ts";
import type { Changed, Install, InstallEntry } from "./shape.model.ts";

/** What was applied, by type. */
export type AllApplied = Readonly<Record<string, readonly Applied[]>>;

/** What was applied, by `type/key`. */
type ByName = ReadonlyMap<string, Applied>;

function byName(applied: AllApplied): ByName {
  const names = new Map<string, Applied>();
  for (const [type, list] of Object.entries(applied)) for (const one of list) names.set(nameOf(type, one.key), one);
  return names;
}

const itemsIn = ({ asset }: Fate, spec: Fate["to"]): readonly Item[] => spec?.lists[partsOf(asset)?.[0] ?? ""] ?? [];

/** The id of a record and those of its parts by key, after its change was applied. */
function idsOf(fate: Fate, applied: ByName): { id: string; parts: Record<string, string> } | null {
  const done = applied.get(nameOf(fate.asset.type, fate.key));
  const id = done?.id ?? fate.record?.id ?? fate.entry?.id;
  if (id === undefined) return null;
  const [items, ids] =
    done === undefined ? [itemsIn(fate, fate.client), fate.record?.parts] : [itemsIn(fate, fate.to), done.parts];
  return { id, parts: Object.fromEntries(items.map(({ key }, position) => [key, ids?.[position] ?? ""])) };
}

/** The install after the fates have come true. */
export function installAfter(version: number, before: Install | null, fates: readonly Fate[], applied: AllApplied): Install {
  const entries = { ...before?.entries };
  const done = byName(applied);
  for (const fate of fates) {
    const name = nameOf(fate.asset.type, fate.key);
    const entry = entries[name];
    if (fate.outcome === "released") delete entries[name];
    if (fate.outcome === "removed" && entry !== undefined) entries[name] = { ...entry, removed: true };
    if (fate.outcome === "brought") entries[name] = broughtEntry(version, fate, done);
  }
  return { version, entries };
}

function broughtEntry(version: number, fate: Fate, applied: ByName): InstallEntry {
  const { entry, held } = fate;
  const { id = "", parts = {} } = idsOf(fate, applied) ?? {};
  const here = new Set(itemsIn(fate, fate.client).map(({ key }) => key));
  // What was deleted here stays known, so that it is not made again.
  const deleted = Object.entries(entry?.parts ?? {}).filter(([key]) => !here.has(key));
  const owned = Object.entries(parts).filter(([key]) => !isMadeHere(key) && !fate.released.includes(key));
  const waiting = held.map((key) => [key, entry?.held?.[key] ?? entry?.base ?? version]);
  return {
    id,
    base: version,
    parts: Object.fromEntries([...deleted, ...owned]),
    made: fate.action === "create" || (entry?.made ?? false),
    ...(waiting.length > 0 ? { held: Object.fromEntries(waiting) } : {}),
  };
}

/** The ids of what was changed, removed parts included. */
export function changedBy(fates: readonly Fate[], applied: AllApplied): Changed {
  const done = byName(applied);
  return Object.fromEntries(
    fates
      .filter(({ action }) => action !== "keep")
      .map((fate) => {
        const { id = "", parts = {} } = idsOf(fate, done) ?? {};
        const before = itemsIn(fate, fate.client).map(({ key }, position) => [key, fate.record?.parts[position] ?? ""]);
        return [nameOf(fate.asset.type, fate.key), { id, parts: { ...Object.fromEntries(before), ...parts } }];
      }),
  );
}
