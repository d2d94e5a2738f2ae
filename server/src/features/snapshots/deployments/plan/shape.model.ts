import type { Applied, Change, Live, Removal, Spec, Value } from "../../../accounts/configuring/index.ts";
import type { Conflict } from "../merge/conflict.model.ts";

export const POLICIES = ["merge", "skip", "overwrite", "fail"] as const;
export type Policy = (typeof POLICIES)[number];

/**
 * The record of an asset in an account. `base` is the version that it was last brought to. `removed`: a deployment has archived it, and
 * revives it when it returns. `held` are parts that should have gone but were in use, with the version that each came from.
 */
export type InstallEntry = {
  id: string;
  base: number;
  parts: Record<string, string>;
  made: boolean;
  removed?: true;
  held?: Record<string, number>;
};

/** What an account has of a snapshot, by `type/key`. Without a version it was rolled back. */
export type Install = { version: number | null; entries: Record<string, InstallEntry> };

/** The records of an account by type, as `Asset.read` gives them. */
export type State = Readonly<Record<string, readonly Live[]>>;

/** A field that changes or is in conflict. What is not there is null. */
export type Field = { path: string; base: Value; client: Value; snapshot: Value; result: Value };

export const ACTIONS = ["create", "update", "remove", "revive", "adopt", "keep"] as const;
export type Step = {
  type: string;
  key: string;
  name: string | null;
  action: (typeof ACTIONS)[number];
  fields: Field[];
  conflicts: Conflict[];
};

export type Counts = { create: number; update: number; remove: number; unchanged: number; conflict: number };

/** What a deployment does to an account, without ids: a record or an item that was made in the account is `~#` and its position. */
export type Plan = {
  format: 1;
  snapshot_id: string;
  version: number | null;
  previous_version: number | null;
  conflict_policy: Policy;
  state: string;
  steps: Step[];
  counts: Counts;
};

/** What was before and after a change, for a rollback: null where there was nothing. Items of a list with parts have their keys. */
export type Undo = { type: string; key: string; did: Change["do"]; from: Spec | null; to: Spec | null };

/** The ids of what a deployment changed, by `type/key`. The plan is without ids, so each deployment keeps them. */
export type Changed = Record<string, { id: string; parts: Record<string, string> }>;

export type Planned = {
  plan: Plan;
  plan_hash: string;
  /** By type. Empty where nothing changes. */
  changes: Record<string, Change[]>;
  /** What would be removed, by type: to ask `blocked` about, then to plan again with the blocks. */
  removals: Record<string, Removal[]>;
  undo: Undo[];
  /** The install after the changes were applied. */
  install(applied: Readonly<Record<string, readonly Applied[]>>): Install;
  /** The ids that a rollback of these changes needs. */
  changed(applied: Readonly<Record<string, readonly Applied[]>>): Changed;
};
