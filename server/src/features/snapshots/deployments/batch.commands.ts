import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Batch, Member, Outcome, RolledBack } from "./model.ts";

/** Deploys a version to some accounts, which are locked and take writes: about as many statements for all as for one. */
export async function deployBatch(_ctx: Context, _tx: Tx, { members }: Batch): Promise<Outcome[]> {
  return members.length === 0 ? [] : Promise.reject(new Error("nothing can be deployed yet"));
}

/** Rolls back deployments of one snapshot, each the newest at its account; the accounts are locked and take writes. */
export async function rollbackBatch(
  _ctx: Context,
  _tx: Tx,
  { members }: { partner_id: string; snapshot_id: string; members: readonly Member[] },
): Promise<RolledBack[]> {
  return members.length === 0 ? [] : Promise.reject(new Error("nothing can be rolled back yet"));
}
