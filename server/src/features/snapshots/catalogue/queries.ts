import { listIdentity } from "../../../kernel/page.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage, likePattern, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import type { Snapshot } from "./model.ts";
import { FIELDS, type SnapshotListQuery, Snapshot as SnapshotSchema, type SnapshotShown } from "./schema.ts";

const SNAPSHOT_JSON = rowJson(SnapshotSchema, {
  origin: "case when c.owner_partner_id = c.partner_id then 'own' else 'bought' end",
  // What was listed after a purchase is the buyer's before it has a copy of it.
  latest_version: `case when c.owner_partner_id = c.partner_id then nullif(c.latest_version, 0)
    else greatest(c.latest_version, (select l.listed_version from snapshot_listings l where l.id = c.id)) end`,
});

const byId = (lock: string) =>
  statement(`select ${SNAPSHOT_JSON} as json from snapshots c where c.partner_id = $1 and c.id = $2 ${lock}`);
const oneStatement = byId("");
const lockStatement = byId("for no key update");

export async function snapshotOrNull(db: Queryable, { partner_id }: TenantScope, id: string): Promise<Snapshot | null> {
  return parsedRow<SnapshotShown>(await db.query(oneStatement, [partner_id, id]));
}

/** A snapshot, locked until the transaction ends. */
export async function snapshotForUpdateOrNull(tx: Queryable, { partner_id }: TenantScope, id: string): Promise<Snapshot | null> {
  return parsedRow<SnapshotShown>(await tx.query(lockStatement, [partner_id, id]));
}

const someForShare = statement(`
  select ${SNAPSHOT_JSON} as json from snapshots c where c.partner_id = $1 and c.id = any ($2) order by c.id for share`);

/** Those of some snapshots that the partner has, locked against changes until the transaction ends. */
export async function snapshotsForShare(
  tx: Queryable,
  { partner_id }: TenantScope,
  ids: readonly string[],
): Promise<SnapshotShown[]> {
  const rows = await tx.query<{ json: string }>(someForShare, [partner_id, ids]);
  return rows.map(({ json }) => JSON.parse(json) as SnapshotShown);
}

export function snapshotsPage(db: Queryable, { partner_id }: TenantScope, query: SnapshotListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  return keysetPage(
    db,
    partner_id,
    {
      list: listIdentity("snapshots", filter),
      table: "snapshots",
      json: SNAPSHOT_JSON,
      sort: byCreation(true),
      conditions: (place) => conditionsOf(filter, place),
    },
    query,
  );
}

function conditionsOf({ status, origin, q }: SnapshotListQuery, place: Place): string[] {
  return [
    ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
    ...(origin === undefined ? [] : [`c.owner_partner_id ${origin === "own" ? "=" : "<>"} c.partner_id`]),
    ...(q === undefined ? [] : [`c.name ilike ${place(likePattern(q))}`]),
  ];
}

const countStatement = statement(`
  select count(*)::int as count from snapshots s
  where s.partner_id = $1 and s.owner_partner_id = $1 and s.status <> 'archived'`);

/** How many snapshots of its own a partner has that are not archived. Nobody adds one before the transaction ends. */
export async function countSnapshots(tx: Tx, { partner_id }: TenantScope): Promise<number> {
  const [, [row]] = await Promise.all([
    takeTurn(tx, `snapshots ${partner_id}`),
    tx.query<{ count: number }>(countStatement, [partner_id]),
  ]);
  return row?.count ?? 0;
}

const INSERTED = [
  "partner_id",
  "id",
  "owner_partner_id",
  "name",
  "description",
  "status",
  "currency",
  "latest_version",
  "created_by",
  "created_at",
  "updated_at",
] as const;
const insertStatement = statement(`
  with c as (insert into snapshots ${insertValues(INSERTED)} returning *)
  select ${SNAPSHOT_JSON} as json from c`);

export type NewSnapshot = Pick<SnapshotShown, "id" | "name" | "description" | "status" | "currency" | "created_by"> & {
  latest_version: number;
};

/** Adds a snapshot of the partner's own; null when another one has its name. */
export async function insertSnapshot(tx: Tx, { partner_id }: TenantScope, snapshot: NewSnapshot): Promise<Snapshot | null> {
  const row = { ...snapshot, partner_id, owner_partner_id: partner_id, created_at: tx.now, updated_at: tx.now };
  return saved(tx, () => tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const updateStatement = statement(`
  with c as (
    update snapshots c set ${assignments(FIELDS, 4)}, updated_at = $3, version = c.version + 1
    where c.partner_id = $1 and c.id = $2
    returning c.*
  )
  select ${SNAPSHOT_JSON} as json from c`);

/** Saves a locked snapshot; null when another one has its name. */
export function saveSnapshot(tx: Tx, { partner_id }: TenantScope, snapshot: SnapshotShown): Promise<Snapshot | null> {
  return saved(tx, () => tx.query(updateStatement, [partner_id, snapshot.id, tx.now, ...valuesOf(snapshot, FIELDS)]));
}

async function saved(tx: Tx, write: () => Promise<{ json: string }[]>): Promise<Snapshot | null> {
  const rows = await unlessTaken(tx, write);
  return rows === null ? null : parsedRow<SnapshotShown>(rows);
}

const namedStatement = statement(`
  select s.id from snapshots s
  where s.partner_id = $1 and s.owner_partner_id = $1 and lower(s.name) = lower($2) and s.status <> 'archived'`);

/** The id of the partner's own snapshot that has a name. */
export async function snapshotNamedOrNull(db: Queryable, { partner_id }: TenantScope, name: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(namedStatement, [partner_id, name]);
  return row?.id ?? null;
}

const partnerStatement = statement("select p.currency, p.default_snapshots from partners p where p.id = $1");

/** What the partner says of snapshots: the currency of prices, and its defaults. */
export async function partnerOf(db: Queryable, { partner_id }: TenantScope) {
  const [partner] = await db.query<{ currency: string; default_snapshots: string[] }>(partnerStatement, [partner_id]);
  if (partner === undefined) throw new Error("the partner does not exist");
  return partner;
}
