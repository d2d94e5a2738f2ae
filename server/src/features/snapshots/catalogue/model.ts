import { fail } from "../../../kernel/errors.ts";
import type { SnapshotShown } from "./schema.ts";

/** A snapshot as the API shows it, with its JSON. */
export type Snapshot = SnapshotShown & { json: string };

export const SNAPSHOTS_MAX = 500;
export const VERSIONS_MAX = 1_000;

export type SnapshotStatus = SnapshotShown["status"];

/** Where a snapshot can go. A deprecated one is installed nowhere any more, but updated where it runs. */
const NEXT: Record<SnapshotStatus, readonly SnapshotStatus[]> = {
  draft: ["published", "archived"],
  published: ["deprecated", "archived"],
  deprecated: ["published", "archived"],
  archived: [],
};

/** Refuses a status that a snapshot cannot take. */
export function checkStatus({ status: from, latest_version }: Snapshot, to: SnapshotStatus): void {
  if (from === to) return;
  if (!NEXT[from].includes(to)) refuseState(from, to, `The snapshot is ${from} and cannot become ${to}.`);
  if (to === "published" && latest_version === null) refuseEmpty();
}

/** A snapshot that was bought is changed by its seller alone. */
export function requireOwn({ origin, name }: Snapshot): void {
  if (origin === "bought") fail("snapshot_bought", { detail: `${name} was bought: only its seller changes it.` });
}

/** An archived snapshot no longer changes. */
export function refuseArchived({ status }: Snapshot): void {
  if (status === "archived") refuseState(status, null, "The snapshot is archived and no longer changes.");
}

function refuseState(from: SnapshotStatus, to: SnapshotStatus | null, detail: string): never {
  fail("invalid_state_transition", { detail, meta: { from, ...(to === null ? {} : { to }), allowed: NEXT[from] } });
}

export function refuseEmpty(): never {
  refuse("#/status", "no_version", "A snapshot without a version is a draft. Send a manifest or a source_client_id first.");
}

export function refuse(pointer: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer, code, detail }] });
}

/** Why a snapshot is not deployed, in a sentence about it. */
export const OBSTACLES = {
  draft: "is a draft",
  archived: "is archived",
  deprecated: "is deprecated: it is only updated where it runs",
  no_version: "has no version yet",
};

/** Why a snapshot cannot be deployed, or null. A deprecated one is only updated. */
export function obstacleOf(
  { status, latest_version }: Pick<SnapshotShown, "status" | "latest_version">,
  how: "install" | "update",
): keyof typeof OBSTACLES | null {
  if (status === "draft" || status === "archived") return status;
  if (status === "deprecated" && how === "install") return status;
  return latest_version === null ? "no_version" : null;
}
