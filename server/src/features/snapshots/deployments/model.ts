import type { Spec } from "../../accounts/configuring/index.ts";

export const POLICIES = ["merge", "skip", "overwrite", "fail"] as const;
export type Policy = (typeof POLICIES)[number];

/** The version of a snapshot that is deployed. */
export type Source = {
  snapshot_id: string;
  version: number;
  manifest: { format: 1; assets: readonly { type: string; key: string; spec: Spec }[] };
};

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
  /** Whether the plans are only made: the accounts need no lock, and the outcomes are `planned`. */
  dry_run: boolean;
};

/** What became of a member. `failure` is for the one that failed: its conflicts or its other plan. Nothing of it was written. */
export type Outcome = Member & {
  status: "succeeded" | "partial" | "unchanged" | "failed" | "planned";
  plan_hash: string;
  conflicts: number;
  failure: { code: "snapshot_conflict" | "plan_stale"; detail: string } | null;
};

/** What became of a deployment that was rolled back. One that was rolled back before is `unchanged`. */
export type RolledBack = Member & {
  status: "rolled_back" | "unchanged" | "failed";
  conflicts: number;
  failure: { code: "deployment_not_revertible"; detail: string; reason: string } | null;
};
