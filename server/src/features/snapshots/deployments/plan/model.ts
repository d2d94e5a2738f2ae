import type { ManifestAsset } from "../../../accounts/configuring/index.ts";
import { type Circumstances, fatesOf, planned, usesOf } from "./assemble.model.ts";
import { nameOf } from "./fate.model.ts";
import { installAfter } from "./install.model.ts";
import type { Planned, Policy } from "./shape.model.ts";

export { planRollback, type RollbackInput } from "./rollback.model.ts";
export * from "./shape.model.ts";

export type PlanInput = Circumstances & {
  version: number;
  manifest: { readonly assets: readonly ManifestAsset[] };
  bases(version: number): { readonly assets: readonly ManifestAsset[] };
  policy: Policy;
};

/** The plan of a deployment. It is pure: equal circumstances have equal plans. With the policy `fail` and conflicts, nothing may be applied. */
export function planFor(input: PlanInput): Planned {
  const { version, manifest, bases, install, policy } = input;
  const fates = fatesOf({
    ...input,
    ours: manifest.assets,
    entries: install?.entries ?? {},
    baseOf: (name, base) => bases(base).assets.find(({ type, key }) => nameOf(type, key) === name)?.spec ?? null,
    uses: usesOf(input.blocks),
  });
  return planned(input, { version, previous_version: install?.version ?? null, conflict_policy: policy }, fates, {
    install: (applied) => installAfter(version, install, fates, applied),
    unmade: () => false,
    gone: () => undefined,
    idOfPart: (fate, key) => fate.entry?.parts[key],
  });
}
<<<<<<< HEAD

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
function entryBefore(assets: readonly Asset[], { type, key, did, from, to }: Undo, changed: Changed) {
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

function fatesOf(target: Target): Fate[] {
  return target.assets.flatMap((asset) => settle(target, asset, decide(target, asset)));
}

function usesOf(blocks: readonly Block[]): Map<string, number> {
  return new Map(blocks.map(({ id, part, count }) => [part ?? id, count]));
}

type Direction = {
  install: Planned["install"];
  unmade(fate: Fate): boolean;
  /** The id of a record that is gone and comes back. */
  gone(fate: Fate): string | undefined;
  /** The id that a part had which comes back. */
  idOfPart(fate: Fate, key: string): string | undefined;
};

function planned(
  { assets, snapshot_id, state_hash }: Circumstances,
  versions: Pick<Plan, "version" | "previous_version" | "conflict_policy">,
  fates: readonly Fate[],
  direction: Direction,
): Planned {
  const steps = fates.flatMap(stepOf);
  const plan: Plan = { format: 1, snapshot_id, ...versions, state: state_hash, steps, counts: countsOf(fates) };
  const byType = <T>(make: (fate: Fate) => T[]) =>
    Object.fromEntries(
      assets.flatMap(({ type }) => {
        const made = fates.filter(({ asset }) => asset.type === type).flatMap(make);
        return made.length === 0 ? [] : [[type, made]];
      }),
    );
  return {
    plan,
    plan_hash: hashOf(canonicalText(plan as unknown as Value)),
    changes: byType((fate) => changeOf(fate, direction)),
    removals: byType(removalOf),
    undo: fates.flatMap(undoOf),
    install: direction.install,
    changed: (applied) => changedBy(fates, applied),
  };
}

function stepOf({ asset, key, action, adopts, base, client, snapshot, to, record, conflicts }: Fate): Step[] {
  if (action === "keep" && !adopts && conflicts.length === 0) return [];
  const before = isLive(record) || action === "revive" ? client : null;
  const four = { base, client: before, snapshot, result: to };
  const fields = action === "remove" ? [] : fieldsOf(asset, four, new Set(conflicts.map(({ path }) => path)));
  const pointed = <T extends { path: string }>(list: readonly T[]) =>
    list.map((one) => ({ ...one, path: one.path === "" ? "" : `/${one.path}` }));
  const shown = adopts && (action === "keep" || action === "update") ? "adopt" : action;
  return [{ type: asset.type, key, action: shown, fields: pointed(fields), conflicts: pointed(conflicts) }];
}

function countsOf(fates: readonly Fate[]): Plan["counts"] {
  const count = (is: (fate: Fate) => boolean) => fates.filter(is).length;
  return {
    create: count(({ action }) => action === "create"),
    update: count(({ action }) => action === "update" || action === "revive"),
    remove: count(({ action }) => action === "remove"),
    unchanged: count(({ action, snapshot, conflicts }) => action === "keep" && snapshot !== null && conflicts.length === 0),
    conflict: count(({ conflicts }) => conflicts.length > 0),
  };
}

function changeOf(fate: Fate, { unmade, gone, idOfPart }: Direction): Change[] {
  const { asset, key, action, record, to } = fate;
  if (action === "create" && to !== null) {
    const id = gone(fate);
    return [{ do: action, key, ...(id === undefined ? {} : { id }), to: plain(asset, to, false) }];
  }
  if (record === null || action === "keep" || action === "create") return [];
  if (action === "remove") return [{ do: action, key, id: record.id, unmade: unmade(fate) }];
  const items = to?.lists[partsOf(asset)?.[0] ?? ""] ?? [];
  const parts = items.map((item) => partId(fate, item.key) ?? idOfPart(fate, item.key) ?? null);
  return [{ do: action, key, id: record.id, parts, to: plain(asset, to as Keyed, false) }];
}

/** The record that goes, or the parts of it that go. */
function removalOf(fate: Fate): Removal[] {
  const { asset, record, action, client, to } = fate;
  if (record === null || client === null) return [];
  if (action === "remove") return [{ id: record.id, parts: [] }];
  const member = partsOf(asset)?.[0] ?? "";
  const stay = new Set(to?.lists[member]?.map(({ key }) => key));
  const gone = (client.lists[member] ?? []).filter(({ key }) => action !== "keep" && !stay.has(key));
  return gone.length === 0 ? [] : [{ id: record.id, parts: gone.map(({ key }) => partId(fate, key) ?? "") }];
}

function undoOf({ asset, key, action, record, client, to }: Fate): Undo[] {
  if (action === "keep") return [];
  const from = isLive(record) && client !== null ? plain(asset, client, true) : null;
  return [{ type: asset.type, key, did: action, from, to: to === null ? null : plain(asset, to, true) }];
}
=======
>>>>>>> d8d5a87d405a4f9ace117ce6aee9c31142d0f488
