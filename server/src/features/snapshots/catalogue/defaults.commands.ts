import { type Fault, fail } from "../../../kernel/errors.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { OBSTACLES, obstacleOf } from "./model.ts";
import { snapshotsForShare } from "./queries.ts";

/** Refuses defaults that could not be deployed to a new client, except those that were defaults before. None is archived before the transaction ends. */
export async function checkDefaults(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
  before: readonly string[],
): Promise<void> {
  const added = ids.filter((id) => !before.includes(id));
  if (added.length === 0) return;
  const known = new Map((await snapshotsForShare(tx, scope, added)).map((snapshot) => [snapshot.id, snapshot]));
  const faults = added.flatMap((id): Fault[] => {
    const refuse = (code: string, detail: string): Fault[] => [
      { in: "body", pointer: `#/default_snapshots/${ids.indexOf(id)}`, code, detail },
    ];
    const snapshot = known.get(id);
    if (snapshot === undefined) return refuse("unknown_snapshot", `The snapshot ${id} was not found.`);
    const obstacle = obstacleOf(snapshot, "install");
    return obstacle === null ? [] : refuse("not_deployable", `The snapshot ${snapshot.name} ${OBSTACLES[obstacle]}.`);
  });
  if (faults.length > 0) fail("validation_failed", { faults });
}
