import { notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { deployableVersion, ownSnapshotForUpdate, saveTerms, versionFacts } from "../catalogue/index.ts";
import {
  insertListing,
  insertOffered,
  listingForUpdateOrNull,
  marketplaceSettings,
  offerOrNull,
  ownListingOrNull,
  saveListing,
  wasOffered,
} from "./listing.queries.ts";
import { type Listing, listed, type Submission, submitted } from "./model.ts";
import type { ListingSet } from "./schema.ts";

const AUDITED = [
  "visibility",
  "price_cents",
  "currency",
  "name",
  "description",
  "listed_version",
  "submitted_version",
  "submitted_name",
  "submitted_description",
  "review",
] as const;

export async function getListing({ db, scope }: Context, id: string) {
  return (await ownListingOrNull(db.byKey, scope.partner_id, id)) ?? notFound(id);
}

export async function getOffer({ db, scope }: Context, id: string) {
  return (await offerOrNull(db.byKey, scope.partner_id, id)) ?? notFound(id);
}

/** Offers a snapshot to other partners, or changes the offer. A version or texts that were not offered before wait for review. */
export function setListing(ctx: Context, id: string, { version: wanted, ...terms }: ListingSet) {
  return ctx.tx(async (tx) => {
    const { name, description } = await ownSnapshotForUpdate(tx, ctx.scope, id);
    const { version } = await deployableVersion(tx, ctx.scope, id, wanted ?? null, "install");
    const submission: Submission = {
      submitted_version: version,
      submitted_name: name,
      submitted_description: description,
      submitted_by: actorOf(ctx.principal).id,
      submitted_at: tx.now,
    };
    const [before, settings, offered] = await Promise.all([
      listingForUpdateOrNull(tx, id),
      marketplaceSettings(tx),
      wasOffered(tx, id, version),
    ]);
    if (before !== null) requireVersion(ctx, before);
    const stands = before !== null && before.listed_version !== null;
    const known = offered && stands && before.name === name && before.description === description;
    const begun = { ...(before ?? newListing(ctx, id, submission, terms)), ...terms };
    const after =
      settings.marketplace_review && !known ? submitted(begun, submission) : listed({ ...begun, ...submission }, tx.now, null);
    await Promise.all([save(tx, before, after), saveTerms(tx, ctx.scope, id, terms)]);
    if (after.review === "approved") await offer(tx, after);
    return shown(tx, after);
  });
}

function newListing(
  { scope }: Context,
  id: string,
  submission: Submission,
  terms: Pick<Listing, "visibility" | "price_cents" | "currency">,
): Listing {
  return {
    ...submission,
    ...terms,
    id,
    seller_partner_id: scope.partner_id,
    name: submission.submitted_name,
    description: submission.submitted_description,
    listed_version: null,
    listed_at: null,
    review: "pending",
    review_reason: null,
    reviewed_by: null,
    reviewed_at: null,
    created_at: submission.submitted_at,
    updated_at: submission.submitted_at,
    version: 0,
  };
}

/** Saves a listing that differs, and records what has changed. */
async function save(tx: Tx, before: Listing | null, after: Listing): Promise<void> {
  const { id, seller_partner_id: partner_id } = after;
  const changes = changesBetween<Partial<Listing>>(before ?? {}, after, AUDITED);
  if (Object.keys(changes).length === 0) return;
  record(tx, { partner_id }, [], { action: "listings.set", target: id, client_id: null, changes });
  after.version += 1;
  after.updated_at = tx.now;
  await (before === null ? insertListing(tx, after) : saveListing(tx, after));
}

/** Makes the version of a listing one that buyers may use. */
export async function offer(tx: Tx, { id, seller_partner_id, listed_version }: Listing): Promise<void> {
  const facts = await versionFacts(tx, seller_partner_id, id, listed_version ?? 0);
  if (facts === null) throw new Error(`version ${listed_version} of ${id} is missing`);
  await insertOffered(tx, id, facts);
}

async function shown(tx: Tx, { id, seller_partner_id }: Listing) {
  return (await ownListingOrNull(tx, seller_partner_id, id)) ?? notFound(id);
}

/** Withdraws an offer. Who bought the snapshot keeps it. */
export function withdrawListing(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    await ownSnapshotForUpdate(tx, ctx.scope, id);
    const before = (await listingForUpdateOrNull(tx, id)) ?? notFound(id);
    requireVersion(ctx, before);
    if (before.visibility === "private") return;
    const after: Listing = { ...before, visibility: "private", updated_at: tx.now, version: before.version + 1 };
    await Promise.all([saveListing(tx, after), saveTerms(tx, ctx.scope, id, after)]);
    const changes = changesBetween(before, after, AUDITED);
    record(tx, ctx.scope, [], { action: "listings.withdraw", target: id, client_id: null, changes });
  });
}
