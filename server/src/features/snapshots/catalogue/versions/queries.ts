import { listIdentity, pageOf } from "../../../../kernel/page.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { SnapshotVersion, SnapshotVersionContent, type VersionListQuery, type VersionShown } from "./schema.ts";

/** A version as the API shows it, with its JSON. */
export type Version = VersionShown & { json: string };

const VERSION_JSON = rowJson(SnapshotVersion);
const CONTENT_JSON = rowJson(SnapshotVersionContent, {
  manifest: "(select m.manifest::json from snapshot_contents m where m.partner_id = $1 and m.sha256 = c.sha256)",
});

const ONE = "snapshot_versions c where c.partner_id = $1 and c.snapshot_id = $2 and c.version = $3";
const oneStatement = statement(`select ${VERSION_JSON} as json from ${ONE}`);
const contentStatement = statement(`select ${CONTENT_JSON} as json from ${ONE}`);

type Whose = Pick<TenantScope, "partner_id">;

export async function versionOrNull(db: Queryable, { partner_id }: Whose, snapshot_id: string, version: number) {
  return parsedRow<VersionShown>(await db.query(oneStatement, [partner_id, snapshot_id, version]));
}

/** A version with its manifest. */
export async function versionWithManifestOrNull(db: Queryable, { partner_id }: Whose, snapshot_id: string, version: number) {
  return parsedRow<VersionShown>(await db.query(contentStatement, [partner_id, snapshot_id, version]));
}

const pageStatement = statement(`
  select c.version, ${VERSION_JSON} as json from snapshot_versions c
  where c.partner_id = $1 and c.snapshot_id = $2 and ($3::int is null or c.version < $3)
  order by c.version desc limit $4`);

/** The versions of a snapshot, the latest first. */
export function versionsPage(db: Queryable, { partner_id }: Whose, snapshot_id: string, query: VersionListQuery) {
  return pageOf(
    listIdentity("snapshot-versions", { snapshot_id }),
    query,
    ["number"],
    (position, limit) =>
      db.query<{ version: number; json: string }>(pageStatement, [
        partner_id,
        snapshot_id,
        // A number of a forged cursor may be too large for the column.
        position === null ? null : Math.min(Number(position[0]), 2 ** 31 - 1),
        limit + 1,
      ]),
    ({ version }) => [version],
  );
}

const insertContent = statement(`
  insert into snapshot_contents (partner_id, sha256, manifest) values ($1, $2, $3) on conflict do nothing`);

const INSERTED = [
  "partner_id",
  "snapshot_id",
  "version",
  "sha256",
  "changelog",
  "asset_counts",
  "created_by",
  "created_at",
] as const;
const insertStatement = statement(`
  with c as (insert into snapshot_versions ${insertValues(INSERTED)} returning *)
  select ${VERSION_JSON} as json from c`);

export type NewVersion = Omit<VersionShown, "created_at"> & { text: string };

/** Adds a version with its content. */
export async function insertVersion(tx: Tx, { partner_id }: Whose, version: NewVersion): Promise<Version> {
  const row = { ...version, partner_id, created_at: tx.now };
  const [, rows] = await Promise.all([
    tx.query(insertContent, [partner_id, version.sha256, version.text]),
    tx.query<{ json: string }>(insertStatement, valuesOf(row, INSERTED)),
  ]);
  const inserted = parsedRow<VersionShown>(rows);
  if (inserted === null) throw new Error("the version was not inserted");
  return inserted;
}

const raiseStatement = statement(`
  update snapshots c set latest_version = $3, updated_at = $4, version = c.version + 1 where c.partner_id = $1 and c.id = $2`);

/** Says which version of a locked snapshot is the latest. */
export async function raiseLatest(tx: Tx, { partner_id }: Whose, snapshot_id: string, version: number): Promise<void> {
  await tx.query(raiseStatement, [partner_id, snapshot_id, version, tx.now]);
}

const hashStatement = statement(`select c.sha256 from ${ONE}`);

export async function hashOrNull(db: Queryable, partner_id: string, snapshot_id: string, version: number) {
  const [row] = await db.query<{ sha256: string }>(hashStatement, [partner_id, snapshot_id, version]);
  return row?.sha256 ?? null;
}

const textStatement = statement("select m.manifest from snapshot_contents m where m.partner_id = $1 and m.sha256 = $2");

export async function contentOf(db: Queryable, partner_id: string, sha256: string): Promise<string> {
  const [row] = await db.query<{ manifest: string }>(textStatement, [partner_id, sha256]);
  if (row === undefined) throw new Error(`no content ${sha256}`);
  return row.manifest;
}
