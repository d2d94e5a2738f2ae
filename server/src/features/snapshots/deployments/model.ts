import type { Manifest } from "../catalogue/index.ts";
import type { Conflict } from "./merge/conflict.model.ts";
import type { Install, Policy } from "./plan/model.ts";

/** What an account has of a snapshot, and the deployment that it has it from. */
export type StoredInstall = Install & { deployment_id: string | null };

/** A conflict with the asset that it is about. */
export type PlacedConflict = Conflict & { type: string; key: string };

/** The version of a snapshot that is deployed. */
export type Source = { snapshot_id: string; version: number; manifest: Manifest };

export type Member = { deployment_id: string; client_id: string };

/** A version for some accounts, which are locked (`for no key update`, in the order of their ids) and take writes. */
export type Batch = {
  partner_id: string;
  members: readonly Member[];
  source: Source;
  policy: Policy;
  rollout_id: string | null;
  /** The plan that each account must still have, by client; null for any plan. */
  plan_of: ReadonlyMap<string, string> | null;
  /** Whether the deployments are stored already, as queued: then each gets its outcome. Otherwise those that change something are added. */
  queued: boolean;
  /** Whether the accounts are created in this transaction: they name their snapshots already. */
  created: boolean;
  /** Whether the plans are only made: the accounts need no lock, and the outcomes are `planned`. */
  dry_run: boolean;
};

/** What became of a member. `failure` is for the one that failed: its conflicts or its other plan. Nothing of it was written. */
export type Outcome = Member & {
  status: "succeeded" | "partial" | "unchanged" | "failed" | "planned";
  plan_hash: string;
  conflicts: readonly PlacedConflict[];
  failure: { code: "snapshot_conflict" | "plan_stale"; detail: string } | null;
};

export const REVERT_DAYS = 30;
export const NOT_REVERTIBLE = {
  too_old: `It ended more than ${REVERT_DAYS} days ago.`,
  superseded: "Another deployment of the snapshot came after it.",
  not_applied: "It has not changed the account.",
} as const;
export type NotRevertible = keyof typeof NOT_REVERTIBLE;

/** What became of a deployment that is rolled back. One that was rolled back before is `unchanged`. */
export type RolledBack = Member & {
  status: "rolled_back" | "unchanged" | "failed";
  conflicts: readonly PlacedConflict[];
  failure: { code: "deployment_not_revertible"; detail: string; reason: NotRevertible } | null;
};
