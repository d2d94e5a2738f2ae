import { closed, FreeText, Id, listOf, page } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { DiffStep } from "../catalogue/index.ts";
import { REVIEWS } from "./model.ts";
import { Listing, purchase, purchaseFilters, Review } from "./schema.ts";

const Company = (description: string) => Type.String({ description, examples: ["Northwind Agency"] });

const listing = {
  seller_partner_id: Id("partner"),
  seller_company: Company("Company of the seller"),
  ...Listing.properties,
};

export const OperatorListing = Type.Object(listing, { ...closed, title: "OperatorListing" });
export const OperatorListingList = listOf(OperatorListing, "OperatorListingList");

export const OperatorListingListQuery = Type.Object(
  {
    ...page,
    review: Type.Optional(Type.Array(Review, { minItems: 1, maxItems: REVIEWS.length, uniqueItems: true })),
    partner_id: Type.Optional(Type.String({ ...Id("partner"), description: "Only snapshots of this seller" })),
  },
  closed,
);
export type OperatorListingListQuery = Type.Static<typeof OperatorListingListQuery>;

export const OperatorListingDetail = Type.Object(
  {
    ...listing,
    submitted_changelog: Type.Union([Type.String({ examples: ["A stage for recalls"] }), Type.Null()]),
    submitted_manifest: Type.Object(
      {},
      { additionalProperties: true, description: "The manifest of the version that was submitted" },
    ),
    changes: Type.Array(DiffStep, {
      description: "What differs from the version that is listed; everything is created where none is",
    }),
  },
  { ...closed, title: "OperatorListingDetail" },
);

export const ReviewRejection = Type.Object(
  { reason: FreeText(500, "Why it is rejected; shown to the seller", "The changelog is missing.") },
  { ...closed, title: "ReviewRejection" },
);

export const OperatorPurchase = Type.Object(
  {
    id: Id("purchase"),
    seller_partner_id: Id("partner"),
    buyer_partner_id: Id("partner"),
    buyer_company: Company("Company of the buyer"),
    ...purchase,
    share_bps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: "The seller's share, in basis points",
      examples: [8000],
    }),
  },
  { ...closed, title: "OperatorPurchase" },
);
export const OperatorPurchaseList = listOf(OperatorPurchase, "OperatorPurchaseList");

export const OperatorPurchaseListQuery = Type.Object(
  {
    ...page,
    partner_id: Type.Optional(Type.String({ ...Id("partner"), description: "Only purchases of this buyer" })),
    ...purchaseFilters,
  },
  closed,
);
export type OperatorPurchaseListQuery = Type.Static<typeof OperatorPurchaseListQuery>;
