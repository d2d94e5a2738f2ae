import { type Change, canonicalText, hashOf, type Value } from "../../../accounts/configuring/index.ts";
import type { Install, Planned } from "./shape.model.ts";

/** An account as `Asset.look` shows it, by type, with what it has of the snapshot and what other snapshots own in it. */
export type Look = {
  digests: Readonly<Record<string, string>>;
  ids: Readonly<Record<string, readonly string[]>>;
  install: Install | null;
  others: ReadonlySet<string>;
};

/** Equal for accounts in the same state: their plans are the same, but for the ids. */
export function stateHash({ digests, ids, install, others }: Look): string {
  const ordinals = ordinalsOf(ids);
  const ordinal = (id: string) => ordinals.get(id) ?? null;
  const entries = Object.entries(install?.entries ?? {}).map(([name, { id, parts, ...entry }]) => {
    const partOrdinals = Object.entries(parts).map(([key, part]) => [key, ordinal(part)]);
    return [name, { ...entry, id: ordinal(id), parts: Object.fromEntries(partOrdinals) }];
  });
  const owned = [...others].map((name) => ordinal(name.slice(name.indexOf("/") + 1))).sort();
  const state = { digests, version: install?.version ?? null, entries: Object.fromEntries(entries), owned };
  return hashOf(canonicalText(state as unknown as Value));
}

function ordinalsOf(ids: Look["ids"]): Map<string, string> {
  return new Map(Object.entries(ids).flatMap(([type, list]) => list.map((id, position) => [id, `${type}/${position}`])));
}

/** The ids of one account for those of another in the same state. What is in an install but not in its account is renamed too. */
export function renaming(from: Look, to: Look): (id: string) => string {
  const names = new Map<string, string>();
  for (const [name, entry] of Object.entries(from.install?.entries ?? {})) {
    const other = to.install?.entries[name];
    names.set(entry.id, other?.id ?? entry.id);
    for (const [key, id] of Object.entries(entry.parts)) names.set(id, other?.parts[key] ?? id);
  }
  for (const [type, ids] of Object.entries(from.ids)) {
    for (const [position, id] of ids.entries()) names.set(id, to.ids[type]?.[position] ?? id);
  }
  return (id) => names.get(id) ?? id;
}

/** The plan of one account for another in the same state. */
export function planOf(planned: Planned, rename: (id: string) => string): Planned {
  const values = (ids: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, rename(id)]));
  const records = <T extends { id: string; parts: Record<string, string> }>(named: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(named).map(([name, one]) => [name, { ...one, id: rename(one.id), parts: values(one.parts) }]),
    );
  return {
    ...planned,
    changes: byType(planned.changes, (change) => renamed(change, rename)),
    removals: byType(planned.removals, ({ id, parts }) => ({ id: rename(id), parts: parts.map(rename) })),
    install: (applied) => {
      const { version, entries } = planned.install(applied);
      return { version, entries: records(entries) };
    },
    changed: (applied) => records(planned.changed(applied)),
  };
}

function byType<A, B>(all: Readonly<Record<string, readonly A[]>>, make: (one: A) => B): Record<string, B[]> {
  return Object.fromEntries(Object.entries(all).map(([type, list]) => [type, list.map(make)]));
}

function renamed(change: Change, rename: (id: string) => string): Change {
  if (change.do === "create") return change;
  const id = rename(change.id);
  return change.do === "remove" ? { ...change, id } : { ...change, id, parts: change.parts.map((part) => part && rename(part)) };
}
