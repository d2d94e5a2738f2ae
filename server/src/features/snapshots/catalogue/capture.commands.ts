import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Live } from "../../accounts/configuring/index.ts";
import { ASSETS } from "./assets.model.ts";
import { type Capture, manifestFrom } from "./capture.model.ts";
import { lockAccount, sourcesOf } from "./capture.queries.ts";
import type { Manifest } from "./manifest/model.ts";
import { refuse } from "./model.ts";

/** Locks the account that is captured, before the snapshot: deployments lock in this order too. */
export async function lockSource(ctx: Context, tx: Tx, account_id: string | undefined): Promise<void> {
  if (account_id === undefined || (await lockAccount(tx, ctx.scope, account_id))) return;
  refuse("#/source_client_id", "unknown_client", `The client ${account_id} was not found.`);
}

/** Reads the configuration of a locked account as content of a snapshot, or of a new one. */
export async function captureAccount(
  ctx: Context,
  tx: Tx,
  account_id: string,
  snapshot: { id: string; previous: Manifest | null } | null,
): Promise<Capture> {
  const of = { partner_id: ctx.scope.partner_id, ids: [account_id] };
  const state: Record<string, readonly Live[]> = {};
  for (const asset of ASSETS) state[asset.type] = (await asset.read(tx, of)).get(account_id) ?? [];
  const known = snapshot === null ? new Map<string, string>() : await knownKeys(ctx, tx, account_id, snapshot.id);
  return manifestFrom({ assets: ASSETS, state, known, previous: snapshot?.previous ?? null });
}

/** The keys of records and their parts by id: of earlier captures, and before them of what the snapshot has installed. */
async function knownKeys(ctx: Context, tx: Tx, account_id: string, snapshot_id: string): Promise<Map<string, string>> {
  const sources = await sourcesOf(tx, ctx.scope, snapshot_id, account_id);
  const installed = await ctx.hooks.installedRecords(tx, ctx.scope, account_id, snapshot_id);
  return new Map([
    ...sources.map(({ key, record_id }) => [record_id, key.slice(key.indexOf("/") + 1)] as const),
    ...Object.entries(installed).flatMap(([name, { id, parts }]) => [
      [id, name.slice(name.indexOf("/") + 1)] as const,
      ...Object.entries(parts).map(([key, part]) => [part, key] as const),
    ]),
  ]);
}
