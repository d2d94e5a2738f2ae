import type { Asset } from "../../../accounts/configuring/index.ts";
import { partsOf } from "../merge/keyed.model.ts";
import { type Circumstances, fatesOf, planned, usesOf } from "./assemble.model.ts";
import { type Fate, nameOf } from "./fate.model.ts";
import type { Changed, Install, InstallEntry, Planned, Undo } from "./shape.model.ts";

export type RollbackInput = Circumstances & {
  undo: readonly Undo[];
  changed: Changed;
  /** The version that is rolled back, and the install before it. */
  version: number;
  previous: Install | null;
};

/**
 * The plan of a rollback: the same merge, from what the deployment left to what it found. What it made goes, what it removed comes back,
 * and what was edited since stays.
 */
export function planRollback(input: RollbackInput): Planned {
  const { undo, changed, previous, install } = input;
  const undoOf = (name: string) => undo.find(({ type, key }) => nameOf(type, key) === name);
  const fates = fatesOf({
    ...input,
    ours: undo.flatMap(({ type, key, from }) => (from === null ? [] : [{ type, key, spec: from }])),
    entries: Object.fromEntries(undo.map((one) => [nameOf(one.type, one.key), entryBefore(input.assets, one, changed)])),
    baseOf: (name) => undoOf(name)?.to ?? undoOf(name)?.from ?? null,
    uses: usesOf(input.blocks),
    policy: "merge",
  });
  const versions = { version: previous?.version ?? null, previous_version: input.version, conflict_policy: "merge" } as const;
  return planned(input, versions, fates, {
    install: () => ({
      version: previous?.version ?? null,
      entries: { ...previous?.entries, ...stillRemoved(install, previous, fates) },
    }),
    unmade: (fate) => undoOf(nameOf(fate.asset.type, fate.key))?.did === "create",
    gone: (fate) => changed[nameOf(fate.asset.type, fate.key)]?.id,
    idOfPart: (fate, key) => changed[nameOf(fate.asset.type, fate.key)]?.parts[key],
  });
}

/** What a deployment left, in the form of an entry: the parts are those that were there after it. */
function entryBefore(assets: readonly Asset[], { type, key, did, from, to }: Undo, changed: Changed): InstallEntry {
  const { id, parts } = changed[nameOf(type, key)] ?? { id: "", parts: {} };
  const member = partsOf(assets.find((asset) => asset.type === type) as Asset)?.[0] ?? "";
  const items = ((to ?? from)?.[member] ?? []) as readonly { key: string }[];
  const left = Object.fromEntries(items.map((item) => [item.key, parts[item.key] ?? ""]));
  return { id, base: 0, parts: left, made: did === "create", ...(did === "remove" ? { removed: true as const } : {}) };
}

/** The entries of what is archived after a rollback and was not before, so that a later deployment revives it. */
function stillRemoved(install: Install | null, previous: Install | null, fates: readonly Fate[]): Install["entries"] {
  return Object.fromEntries(
    fates.flatMap(({ asset, key, to, entry, outcome }) => {
      const name = nameOf(asset.type, key);
      const now = install?.entries[name];
      const unmade = outcome === "removed" && previous?.entries[name] === undefined;
      const removed = to === null && (entry?.removed || unmade);
      return removed && now !== undefined ? [[name, { ...now, removed: true as const }]] : [];
    }),
  );
}
