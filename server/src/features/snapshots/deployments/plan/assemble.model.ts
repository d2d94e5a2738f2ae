import {
  type Asset,
  type Block,
  type Change,
  canonicalText,
  hashOf,
  type Removal,
  titleOf,
  type Value,
} from "../../../accounts/configuring/index.ts";
import { type Keyed, partsOf, plain } from "../merge/keyed.model.ts";
import { decide, partId } from "./decide.model.ts";
import { type Fate, isLive, type Target } from "./fate.model.ts";
import { fieldsOf } from "./fields.model.ts";
import { changedBy } from "./install.model.ts";
import { settle } from "./settle.model.ts";
import type { Install, Plan, Planned, State, Step, Undo } from "./shape.model.ts";

/** What every plan is made for. */
export type Circumstances = {
  assets: readonly Asset[];
  snapshot_id: string;
  install: Install | null;
  /** The records of the account that other snapshots own, as `type/id`. */
  others: ReadonlySet<string>;
  state: State;
  /** Equal for accounts in the same state. */
  state_hash: string;
  /** What cannot be removed, of those that an earlier plan named as `removals`. */
  blocks: readonly Block[];
};

/** The fates of all assets, each type by itself. */
export function fatesOf(target: Target): Fate[] {
  return target.assets.flatMap((asset) => settle(target, asset, decide(target, asset)));
}

export function usesOf(blocks: readonly Block[]): Map<string, number> {
  return new Map(blocks.map(({ id, part, count }) => [part ?? id, count]));
}

/** What differs between a deployment and a rollback. */
export type Direction = {
  install: Planned["install"];
  unmade(fate: Fate): boolean;
  /** The id of a record that is gone and comes back. */
  gone(fate: Fate): string | undefined;
  /** The id that a part had which comes back. */
  idOfPart(fate: Fate, key: string): string | undefined;
};

/** The plan, and what carries it out, of what becomes of the assets. */
export function planned(
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
  const name = titleOf((snapshot ?? client ?? base)?.values ?? {});
  return [{ type: asset.type, key, name, action: shown, fields: pointed(fields), conflicts: pointed(conflicts) }];
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
