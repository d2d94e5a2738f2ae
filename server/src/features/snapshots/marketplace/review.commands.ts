import { notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { diffManifests, EMPTY, manifestOf, versionFacts } from "../catalogue/index.ts";
import { offer } from "./listing.commands.ts";
import { listingForUpdateOrNull, listingOrNull, saveListing } from "./listing.queries.ts";
import { type Listing, listed, requireListed, requirePending } from "./model.ts";

const AUDITED = ["review", "review_reason", "listed_version"] as const;

/** A listing with what was submitted: what the operator decides on. */
export async function getSubmission({ db }: Context, id: string) {
  const { version, seller_partner_id, submitted_version, listed_version, json } =
    (await listingOrNull(db.byKey, id)) ?? notFound(id);
  const [facts, manifest, listed] = await Promise.all([
    versionFacts(db, seller_partner_id, id, submitted_version),
    manifestOf(db, seller_partner_id, id, submitted_version),
    listed_version === null ? EMPTY : manifestOf(db, seller_partner_id, id, listed_version),
  ]);
  const changelog = facts?.changelog ?? null;
  const detail = { submitted_changelog: changelog, submitted_manifest: manifest, changes: diffManifests(listed, manifest) };
  return { version, json: `${json.slice(0, -1)},${JSON.stringify(detail).slice(1)}` };
}

/** Approves what was submitted: others see it, and who bought the snapshot gets the version. Repeating it changes nothing. */
export function approveListing(ctx: Context, id: string) {
  return decide(ctx, id, "listings.approve", async (tx, before) => {
    if (before.review === "approved") return before;
    requirePending(before, "approved");
    const after = listed(before, tx.now, actorOf(ctx.principal).id);
    await offer(tx, after);
    return after;
  });
}

/** Rejects what was submitted. What was listed before stays listed. Repeating it changes nothing. */
export function rejectListing(ctx: Context, id: string, review_reason: string) {
  return decide(ctx, id, "listings.reject", async (tx, before) => {
    if (before.review === "rejected" && before.review_reason === review_reason) return before;
    requirePending(before, "rejected");
    return { ...before, review: "rejected", review_reason, reviewed_by: actorOf(ctx.principal).id, reviewed_at: tx.now };
  });
}

/**
 * Takes a snapshot off the marketplace. Whatever its seller offers next waits for review, also a version that was listed before. Who bought
 * the snapshot keeps it. Repeating it changes nothing.
 */
export function unlist(ctx: Context, id: string, review_reason: string) {
  return decide(ctx, id, "listings.unlist", async (tx, before) => {
    if (before.listed_version === null && before.review_reason === review_reason) return before;
    requireListed(before);
    const decided = { review: "rejected", review_reason, reviewed_by: actorOf(ctx.principal).id, reviewed_at: tx.now } as const;
    return { ...before, ...decided, listed_version: null, listed_at: null };
  });
}

/** Decides on a listing at the expected version, and records it with its seller. */
function decide(ctx: Context, id: string, action: string, decision: (tx: Tx, before: Listing) => Promise<Listing>) {
  return ctx.tx(async (tx) => {
    const before = (await listingForUpdateOrNull(tx, id)) ?? notFound(id);
    requireVersion(ctx, before);
    const after = await decision(tx, before);
    if (after !== before) {
      await saveListing(tx, { ...after, updated_at: tx.now, version: before.version + 1 });
      const changes = changesBetween(before, after, AUDITED);
      record(tx, { partner_id: before.seller_partner_id }, [], { action, target: id, client_id: null, changes });
    }
    return (await listingOrNull(tx, id)) ?? notFound(id);
  });
}
