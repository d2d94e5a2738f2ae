import type { Asset, Live, ManifestAsset, Spec } from "../../../accounts/configuring/index.ts";
import type { Conflict, ConflictCode } from "../merge/conflict.model.ts";
import { type Keyed, keyed, madeHere, plain, sameKeyed } from "../merge/keyed.model.ts";
import type { InstallEntry, Policy, State } from "./shape.model.ts";

/** What is planned for an account, whether it goes forward to a version or back to what was before one. */
export type Target = {
  assets: readonly Asset[];
  /** What there is to be. */
  ours: readonly ManifestAsset[];
  /** The records that came from the snapshot, by `type/key`. */
  entries: Readonly<Record<string, InstallEntry>>;
  /** An asset as it was in a version. */
  baseOf(name: string, version: number): Spec | null;
  /** The records that other snapshots own, as `type/id`. */
  others: ReadonlySet<string>;
  state: State;
  /** How many records use a record, or a part of one: by id. */
  uses: ReadonlyMap<string, number>;
  policy: Policy;
};

/**
 * What becomes of an asset in an account. `client` is what the account has, archived or not; `to` is what it has afterwards, null where
 * there is nothing live. The entry of the install stays the `same`, is `brought` to the version, `released`, or marked as `removed`.
 */
export type Fate = {
  readonly asset: Asset;
  readonly key: string;
  readonly record: Live | null;
  readonly entry: InstallEntry | null;
  readonly base: Keyed | null;
  readonly client: Keyed | null;
  readonly snapshot: Keyed | null;
  readonly conflicts: Conflict[];
  action: "keep" | "create" | "update" | "revive" | "remove";
  adopts: boolean;
  to: Keyed | null;
  outcome: "same" | "brought" | "released" | "removed";
  held: string[];
  released: string[];
};

export const nameOf = (type: string, key: string) => `${type}/${key}`;

export const isLive = (record: Live | null): record is Live => record !== null && !record.archived;

export function tell(fate: Fate, code: ConflictCode, path: string, detail: string): void {
  fate.conflicts.push({ code, path, detail });
}

/** Changes what a live or returning record is to be. */
export function become(fate: Fate, to: Keyed): void {
  fate.to = to;
  if (fate.action === "update" || fate.action === "keep")
    fate.action = fate.client !== null && sameKeyed(fate.asset, fate.client, to) ? "keep" : "update";
}

/** Leaves a record as it is, or away. */
export function leave(fate: Fate, outcome: Fate["outcome"]): void {
  fate.action = "keep";
  fate.to = isLive(fate.record) ? fate.client : null;
  fate.outcome = outcome;
  fate.held = [];
  fate.released = [];
}

/** Whether a record is as every account has it before anybody has changed it. */
export function isBuiltin(asset: Asset, spec: Spec): boolean {
  const positioned = (one: Spec) => keyed(asset, one, POSITIONS);
  return asset.builtin.some((builtin) => sameKeyed(asset, positioned(builtin), positioned(spec)));
}
const POSITIONS = Array.from({ length: 1000 }, (_, position) => madeHere(position));

/** What no other live record of the account may have. */
export function naturalOf({ asset, key, record }: Fate, spec: Keyed): string {
  return asset.natural(plain(asset, spec, false), record?.key ?? key);
}
