import { notFound } from "../../../kernel/errors.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { copyVersion, insertLicence, type Licence, ownedVersion, uncopiedVersions } from "./licences.queries.ts";
import { requireOwn, type Snapshot } from "./model.ts";
import { snapshotForUpdateOrNull } from "./queries.ts";

/** A snapshot of the partner's own, locked until the transaction ends. */
export async function ownSnapshotForUpdate(tx: Tx, scope: TenantScope, id: string): Promise<Snapshot> {
  const snapshot = (await snapshotForUpdateOrNull(tx, scope, id)) ?? notFound(id);
  requireOwn(snapshot);
  return snapshot;
}

/** Gives a partner a snapshot that it bought: the same id, and a copy of the version. */
export async function grantLicence(tx: Tx, licence: Licence): Promise<void> {
  const { buyer_partner_id, seller_partner_id, snapshot_id, snapshot_version } = licence;
  const [owned] = await Promise.all([
    ownedVersion(tx, seller_partner_id, snapshot_id, snapshot_version),
    insertLicence(tx, licence),
  ]);
  await copyVersion(tx, buyer_partner_id, snapshot_id, owned);
}

type Reading = { db: Queryable; scope: TenantScope };

/**
 * Copies a version of a bought snapshot that was offered after the purchase, at its first use; without a number, all newer ones. Best
 * before a transaction rather than in it: a version never changes, and its owner may be in another shard. Nothing is copied of what
 * the partner owns, has already, or has not bought.
 */
export async function ensureVersion({ db, scope }: Reading, snapshot_id: string, version: number | null): Promise<void> {
  for (const missing of await uncopiedVersions(db, scope, snapshot_id, version)) {
    const owned = await ownedVersion(db, missing.owner_partner_id, snapshot_id, missing.version);
    await copyVersion(db, scope.partner_id, snapshot_id, owned);
  }
}
