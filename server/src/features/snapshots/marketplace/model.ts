import { fail } from "../../../kernel/errors.ts";

/** Who can find a snapshot: nobody, those who know its id, everybody. */
export const VISIBILITIES = ["private", "unlisted", "marketplace"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const REVIEWS = ["pending", "approved", "rejected"] as const;
export type Review = (typeof REVIEWS)[number];

/** What a seller submits to review: a version, and the texts that it is offered with. */
export type Submission = {
  submitted_version: number;
  submitted_name: string;
  submitted_description: string | null;
  submitted_by: string;
  submitted_at: Date;
};

/** The offer of a snapshot: as it is shown, and as it was last submitted. */
export type Listing = Submission & {
  id: string;
  seller_partner_id: string;
  visibility: Visibility;
  price_cents: number;
  currency: string;
  name: string;
  description: string | null;
  listed_version: number | null;
  listed_at: Date | null;
  review: Review;
  review_reason: string | null;
  reviewed_by: string | null;
  reviewed_at: Date | null;
  created_at: Date;
  updated_at: Date;
  version: number;
};

const SUBMITTED = ["submitted_version", "submitted_name", "submitted_description"] as const;

export function isSameSubmission(one: Submission, other: Submission): boolean {
  return SUBMITTED.every((member) => one[member] === other[member]);
}

/** Submits a version to review. What was listed before stays listed meanwhile; what waits already keeps its turn. */
export function submitted(listing: Listing, submission: Submission): Listing {
  if (listing.review === "pending" && isSameSubmission(listing, submission)) return listing;
  return { ...listing, ...submission, review: "pending", review_reason: null, reviewed_by: null, reviewed_at: null };
}

/** Lists what was submitted, by the operator's decision, or by nobody's where there is no review. */
export function listed(listing: Listing, now: Date, reviewed_by: string | null): Listing {
  const { submitted_version, submitted_name, submitted_description } = listing;
  return {
    ...listing,
    name: submitted_name,
    description: submitted_description,
    listed_version: submitted_version,
    listed_at: listing.listed_version === submitted_version ? listing.listed_at : now,
    review: "approved",
    review_reason: null,
    reviewed_by,
    reviewed_at: reviewed_by === null ? null : now,
  };
}

/** Refuses a decision where nothing waits for it. */
export function requirePending({ review, visibility }: Listing, to: Review): void {
  if (review === "pending" && visibility !== "private") return;
  const from = visibility === "private" ? "withdrawn" : review;
  fail("invalid_state_transition", {
    detail: `The snapshot is ${from}: nothing waits for review.`,
    meta: { from, to, allowed: [] },
  });
}

/** Refuses to take down what nobody sees. */
export function requireListed({ listed_version, review: from }: Listing): void {
  if (listed_version !== null) return;
  fail("invalid_state_transition", {
    detail: "No version of the snapshot is listed.",
    meta: { from, to: "rejected", allowed: [] },
  });
}

export const PURCHASE_STATUSES = ["due", "completed", "cancelled"] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

/** A purchase, with the same facts on both sides. */
export type Purchase = {
  id: string;
  snapshot_id: string;
  snapshot_version: number;
  seller_partner_id: string;
  buyer_partner_id: string;
  price_cents: number;
  currency: string;
  share_bps: number;
  seller_share_cents: number;
  created_by: string;
  created_at: Date;
  status: PurchaseStatus;
  commission_id: string | null;
  completed_at: Date | null;
  cancelled_at: Date | null;
  version: number;
};

export type Role = "buyer" | "seller";
export const ROLES = ["buyer", "seller"] as const satisfies Role[];

/** What is due is completed or cancelled, once. */
export function requireDue({ status: from }: Purchase, to: PurchaseStatus): void {
  if (from === "due") return;
  fail("invalid_state_transition", { detail: `The purchase is ${from}.`, meta: { from, to, allowed: [] } });
}
