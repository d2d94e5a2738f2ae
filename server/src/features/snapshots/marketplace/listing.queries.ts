import { listIdentity } from "../../../kernel/page.ts";
import { assignments, columnsOf, insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byTime, keysetPage, likePattern, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { VersionFacts } from "../catalogue/index.ts";
import type { Listing } from "./model.ts";
import { OperatorListing, type OperatorListingListQuery } from "./operator.schema.ts";
import { Listing as ListingSchema, OFFERED_VERSIONS_MAX, Offer, OfferDetail, type OfferListQuery } from "./schema.ts";

const CHANGING = [
  "visibility",
  "price_cents",
  "currency",
  "name",
  "description",
  "listed_version",
  "listed_at",
  "submitted_version",
  "submitted_name",
  "submitted_description",
  "submitted_by",
  "submitted_at",
  "review",
  "review_reason",
  "reviewed_by",
  "reviewed_at",
  "updated_at",
  "version",
] as const satisfies (keyof Listing)[];
const COLUMNS = ["id", "seller_partner_id", "created_at", ...CHANGING] as const satisfies (keyof Listing)[];

const lockStatement = statement(`select ${columnsOf("l", COLUMNS)} from snapshot_listings l where l.id = $1 for no key update`);

/** The listing of a snapshot, locked until the transaction ends. */
export async function listingForUpdateOrNull(tx: Tx, id: string): Promise<Listing | null> {
  return (await tx.query<Listing>(lockStatement, [id]))[0] ?? null;
}

const insertStatement = statement(`insert into snapshot_listings ${insertValues(COLUMNS)}`);
const saveStatement = statement(`update snapshot_listings set ${assignments(CHANGING, 2)} where id = $1`);

export async function insertListing(tx: Tx, listing: Listing): Promise<void> {
  await tx.query(insertStatement, valuesOf(listing, COLUMNS));
}

export async function saveListing(tx: Tx, listing: Listing): Promise<void> {
  await tx.query(saveStatement, [listing.id, ...valuesOf(listing, CHANGING)]);
}

const offeredStatement = statement(`
  insert into snapshot_listing_versions (id, version, sha256, changelog, asset_counts, listed_at) values ($1, $2, $3, $4, $5, $6)`);

/** Offers a version of a locked listing, for good: whoever bought the snapshot may use it. */
export async function insertOffered(tx: Tx, id: string, facts: VersionFacts): Promise<void> {
  if (await wasOffered(tx, id, facts.version)) return;
  const { version, sha256, changelog, asset_counts } = facts;
  await tx.query(offeredStatement, [id, version, sha256, changelog, JSON.stringify(asset_counts), tx.now]);
}

const wasOfferedStatement = statement("select 1 from snapshot_listing_versions v where v.id = $1 and v.version = $2");

export async function wasOffered(db: Queryable, id: string, version: number): Promise<boolean> {
  return (await db.query(wasOfferedStatement, [id, version])).length > 0;
}

const LISTING_JSON = rowJson(ListingSchema, { snapshot_id: "c.id" });
const ownStatement = statement(`
  select c.version, ${LISTING_JSON} as json from snapshot_listings c where c.id = $1 and c.seller_partner_id = $2`);

/** The seller's own listing. */
export async function ownListingOrNull(db: Queryable, seller_partner_id: string, id: string) {
  return (await db.query<{ version: number; json: string }>(ownStatement, [id, seller_partner_id]))[0] ?? null;
}

const COMPANY = "(select p.company from partners p where p.id = c.seller_partner_id)";
const OPERATOR_JSON = rowJson(OperatorListing, { snapshot_id: "c.id", seller_company: COMPANY });
const operatorStatement = statement(`
  select c.version, c.seller_partner_id, c.submitted_version, c.listed_version, ${OPERATOR_JSON} as json from snapshot_listings c where c.id = $1`);

export type ShownListing = Pick<Listing, "version" | "seller_partner_id" | "submitted_version" | "listed_version"> & {
  json: string;
};

/** A listing as the operator sees it. */
export async function listingOrNull(db: Queryable, id: string): Promise<ShownListing | null> {
  return (await db.query<ShownListing>(operatorStatement, [id]))[0] ?? null;
}

/** The listings of all sellers, those that were submitted first before others. What was withdrawn does not wait. */
export function listingsPage(db: Queryable, query: OperatorListingListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  const { review, partner_id } = filter;
  const conditions = (place: Place) => [
    ...(review === undefined ? [] : [anyOf("c.review", review, place), "c.visibility <> 'private'"]),
    ...(partner_id === undefined ? [] : [`c.seller_partner_id = ${place(partner_id)}`]),
  ];
  const list = listIdentity("listings", filter);
  const sort = byTime("c.submitted_at", false);
  return keysetPage(db, null, { list, table: "snapshot_listings", json: OPERATOR_JSON, sort, conditions }, query);
}

const OFFERED = `c.listed_version is not null
    and exists (select 1 from partners p where p.id = c.seller_partner_id and p.status = 'active')`;

const offerMembers = (partner_id: string) => ({
  seller_company: COMPANY,
  own: `c.seller_partner_id = ${partner_id}`,
  latest_version: "c.listed_version",
  asset_counts: "(select v.asset_counts from snapshot_listing_versions v where v.id = c.id and v.version = c.listed_version)",
  purchase_status: `(select u.status from snapshot_purchases u
    where u.partner_id = ${partner_id} and u.snapshot_id = c.id and u.role = 'buyer' and u.status <> 'cancelled')`,
});

/** What is offered to everybody, newest first. */
export function offersPage(db: Queryable, partner_id: string, query: OfferListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  const { q, free } = filter;
  const conditions = (place: Place) => [
    "c.visibility = 'marketplace'",
    OFFERED,
    ...(q === undefined ? [] : [`lower(concat_ws(' ', c.name, c.description)) like ${place(likePattern(q.toLowerCase()))}`]),
    ...(free === undefined ? [] : [free ? "c.price_cents = 0" : "c.price_cents > 0"]),
  ];
  const json = (place: Place) => rowJson(Offer, offerMembers(place(partner_id)));
  const list = listIdentity("marketplace", filter);
  return keysetPage(db, null, { list, table: "snapshot_listings", json, sort: byTime("c.listed_at", true), conditions }, query);
}

const VERSIONS = `(
    select coalesce(json_agg(json_build_object('version', v.version, 'changelog', v.changelog, 'asset_counts', v.asset_counts,
      'listed_at', wire_time(v.listed_at)) order by v.version desc), '[]')
    from (select * from snapshot_listing_versions v where v.id = c.id order by v.version desc limit ${OFFERED_VERSIONS_MAX}) v)`;
/** Without a version, which would be its ETag: what a partner sees also changes by its purchase. */
const offerStatement = statement(`
  select ${rowJson(OfferDetail, { ...offerMembers("$2"), versions: VERSIONS })} as json
  from snapshot_listings c where c.id = $1 and (c.seller_partner_id = $2 or (c.visibility <> 'private' and ${OFFERED}))`);

/** What is offered to a partner, or its own. */
export async function offerOrNull(db: Queryable, partner_id: string, id: string): Promise<{ json: string } | null> {
  return (await db.query<{ json: string }>(offerStatement, [id, partner_id]))[0] ?? null;
}

const sharedStatement = statement(`
  select ${columnsOf("c", COLUMNS)} from snapshot_listings c
  where c.id = $1 and (c.seller_partner_id = $2 or (c.visibility <> 'private' and ${OFFERED})) for share`);

/** The same, which nobody changes before the transaction ends. */
export async function offerForShareOrNull(tx: Tx, partner_id: string, id: string): Promise<Listing | null> {
  return (await tx.query<Listing>(sharedStatement, [id, partner_id]))[0] ?? null;
}

const nameStatement = statement("select l.name, l.description from snapshot_listings l where l.id = $1");

/** What a snapshot is called on the marketplace, also after it was withdrawn. */
export async function textsOf(db: Queryable, id: string): Promise<Pick<Listing, "name" | "description">> {
  const [texts] = await db.query<Pick<Listing, "name" | "description">>(nameStatement, [id]);
  if (texts === undefined) throw new Error(`the listing of ${id} is missing`);
  return texts;
}

const settingsStatement = statement("select g.marketplace_review, g.marketplace_share_bps from programme g");

export type MarketplaceSettings = { marketplace_review: boolean; marketplace_share_bps: number };

/** The settings of the programme for the marketplace. */
export async function marketplaceSettings(db: Queryable): Promise<MarketplaceSettings> {
  const [settings] = await db.query<MarketplaceSettings>(settingsStatement);
  if (settings === undefined) throw new Error("the first run has not created the programme");
  return settings;
}
