import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

export type OfferTerms = { visibility: string; price_cents: number; currency: string };

const saveTermsStatement = statement(`
  update snapshots set visibility = $3, price_cents = $4, currency = $5, updated_at = $6, version = version + 1
  where partner_id = $1 and id = $2 and (visibility, price_cents, currency) is distinct from ($3, $4, $5)`);

/** Saves who may see a locked snapshot, and for what. */
export async function saveTerms(tx: Tx, { partner_id }: TenantScope, id: string, terms: OfferTerms): Promise<void> {
  await tx.query(saveTermsStatement, [partner_id, id, terms.visibility, terms.price_cents, terms.currency, tx.now]);
}

/** What everybody may know of a version that is offered. */
export type VersionFacts = { version: number; sha256: string; changelog: string | null; asset_counts: Record<string, number> };

const factsStatement = statement(`
  select v.version, v.sha256, v.changelog, v.asset_counts from snapshot_versions v
  where v.partner_id = $1 and v.snapshot_id = $2 and v.version = $3`);

export async function versionFacts(db: Queryable, partner_id: string, id: string, version: number): Promise<VersionFacts | null> {
  return (await db.query<VersionFacts>(factsStatement, [partner_id, id, version]))[0] ?? null;
}

/** A snapshot as its buyer gets it. */
export type Licence = {
  buyer_partner_id: string;
  seller_partner_id: string;
  snapshot_id: string;
  snapshot_version: number;
  name: string;
  description: string | null;
  currency: string;
  created_by: string;
};

const insertStatement = statement(`
  insert into snapshots (partner_id, id, owner_partner_id, name, description, status, currency, latest_version, created_by, created_at, updated_at)
  values ($1, $2, $3, $4, $5, 'published', $6, $7, $8, $9, $9) on conflict do nothing`);

export async function insertLicence(tx: Tx, licence: Licence): Promise<void> {
  const { buyer_partner_id, snapshot_id, seller_partner_id, name, description, currency, snapshot_version, created_by } = licence;
  const seller = [seller_partner_id, name, description];
  await tx.query(insertStatement, [buyer_partner_id, snapshot_id, ...seller, currency, snapshot_version, created_by, tx.now]);
}

/** A version with its content, as its owner has it. It never changes. */
export type OwnedVersion = VersionFacts & { manifest: string; created_at: Date };

const ownedStatement = statement(`
  select v.version, v.sha256, v.changelog, v.asset_counts, v.created_at, k.manifest
  from snapshot_versions v join snapshot_contents k on k.partner_id = $1 and k.sha256 = v.sha256
  where v.partner_id = $1 and v.snapshot_id = $2 and v.version = $3`);

export async function ownedVersion(db: Queryable, owner_id: string, id: string, version: number): Promise<OwnedVersion> {
  const [row] = await db.query<OwnedVersion>(ownedStatement, [owner_id, id, version]);
  if (row === undefined) throw new Error(`version ${version} of ${id} is missing`);
  return row;
}

/** One statement, so that a version is never there without its content. Whoever made it stays with its owner. */
const copyStatement = statement(`
  with content as (
    insert into snapshot_contents (partner_id, sha256, manifest) values ($1, $4, $5) on conflict do nothing
  ), copied as (
    insert into snapshot_versions (partner_id, snapshot_id, version, sha256, changelog, asset_counts, created_by, created_at)
    values ($1, $2, $3, $4, $6, $7, 'system', $8) on conflict do nothing
  )
  update snapshots set latest_version = $3, version = version + 1 where partner_id = $1 and id = $2 and latest_version < $3`);

/** Copies a version to a partner that has the snapshot. Repeating it changes nothing. */
export async function copyVersion(db: Queryable, partner_id: string, snapshot_id: string, owned: OwnedVersion): Promise<void> {
  const { version, sha256, manifest, changelog, asset_counts, created_at } = owned;
  const counts = JSON.stringify(asset_counts);
  await db.query(copyStatement, [partner_id, snapshot_id, version, sha256, manifest, changelog, counts, created_at]);
}

const missingStatement = statement(`
  select s.owner_partner_id, l.version from snapshots s join snapshot_listing_versions l on l.id = s.id
  where s.partner_id = $1 and s.id = $2 and s.owner_partner_id <> $1
    and (l.version = $3 or ($3::int is null and l.version > s.latest_version))
    and not exists (select 1 from snapshot_versions v where v.partner_id = $1 and v.snapshot_id = $2 and v.version = l.version)
  order by l.version`);

/** Versions that were offered of a snapshot that the partner bought, and that it has no copy of: one, or all newer ones. */
export function uncopiedVersions(
  db: Queryable,
  { partner_id }: TenantScope,
  id: string,
  version: number | null,
): Promise<{ owner_partner_id: string; version: number }[]> {
  return db.query(missingStatement, [partner_id, id, version]);
}
