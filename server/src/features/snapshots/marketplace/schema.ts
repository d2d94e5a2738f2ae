import { CENTS_MAX } from "../../../kernel/money.ts";
import { CreatedWithin, closed, FREE_TEXT, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { PURCHASE_STATUSES, REVIEWS, ROLES, VISIBILITIES } from "./model.ts";

const Price = Type.Integer({ minimum: 0, maximum: CENTS_MAX, description: "In minor units; 0 is free", examples: [19_900] });
const VersionNumber = Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Number of a version", examples: [1] });
const Name = Type.String({ description: "Name of the snapshot", examples: ["Dental practice"] });
const Description = nullable(Type.String({ description: "What it is for", examples: ["Sales and recalls"] }));
const Company = (description: string) => Type.String({ description, examples: ["Northwind Agency"] });

export const ListingSet = Type.Object(
  {
    visibility: Type.Enum(["unlisted", "marketplace"], {
      description: "marketplace: everybody finds it. unlisted: those who know its id",
      examples: ["marketplace"],
    }),
    price_cents: Price,
    currency: Currency,
    version: Type.Optional(
      Type.Integer({ ...VersionNumber, description: "The version that is offered. Default: the latest", examples: [1] }),
    ),
  },
  { ...closed, title: "ListingSet" },
);
export type ListingSet = Type.Static<typeof ListingSet>;

export const Review = Type.Enum([...REVIEWS], {
  type: "string",
  description: "Of what was submitted last: whether the operator has still to decide, and what it decided",
  examples: ["pending"],
});

const listing = {
  snapshot_id: Id("snapshot"),
  visibility: Type.Enum([...VISIBILITIES], { description: "private: it was withdrawn", examples: ["marketplace"] }),
  price_cents: Price,
  currency: Currency,
  name: Name,
  description: Description,
  listed_version: nullable(
    Type.Integer({ ...VersionNumber, description: "The version that is offered; null before the first review" }),
  ),
  listed_at: nullable(Time),
  submitted_version: VersionNumber,
  submitted_name: Name,
  submitted_description: Description,
  submitted_at: Time,
  review: Review,
  review_reason: nullable(Type.String({ description: "Why it was rejected", examples: ["The changelog is missing."] })),
  reviewed_at: nullable(Time),
  created_at: Time,
  updated_at: Time,
  version: Version,
};

export const Listing = Type.Object(listing, {
  ...closed,
  title: "Listing",
  description: "The offer of a snapshot to other partners: what they see, and what was submitted to review last.",
});

export const AssetCounts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
  description: "How many assets it has, by type",
  examples: [{ pipeline: 2, custom_field: 5 }],
});

const offer = {
  id: Id("snapshot"),
  name: Name,
  description: Description,
  seller_company: Company("Company of the seller"),
  own: Type.Boolean({ description: "Whether the partner sells it itself" }),
  price_cents: Price,
  currency: Currency,
  latest_version: nullable(
    Type.Integer({
      ...VersionNumber,
      description: "The version that is offered; null before the first review, which only the seller sees",
    }),
  ),
  asset_counts: nullable(AssetCounts),
  listed_at: nullable(Time),
  purchase_status: nullable(
    Type.Enum(["due", "completed"], {
      description: "Of the partner's own purchase; null if there is none",
      examples: ["completed"],
    }),
  ),
};

export const Offer = Type.Object(offer, {
  ...closed,
  title: "Offer",
  description: "A snapshot that a partner offers to others. Its manifest is shown to those who bought it.",
});

const OfferedVersion = Type.Object(
  {
    version: VersionNumber,
    changelog: nullable(Type.String({ description: "What is new", examples: ["A stage for recalls"] })),
    asset_counts: AssetCounts,
    listed_at: Time,
  },
  { ...closed, title: "OfferedVersion" },
);

export const OFFERED_VERSIONS_MAX = 100;

export const OfferDetail = Type.Object(
  {
    ...offer,
    versions: Type.Array(OfferedVersion, {
      maxItems: OFFERED_VERSIONS_MAX,
      description: `The last ${OFFERED_VERSIONS_MAX} versions that were offered, newest first`,
    }),
  },
  { ...closed, title: "OfferDetail" },
);

export const OfferList = listOf(Offer, "OfferList");

export const OfferListQuery = Type.Object(
  {
    ...page,
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: FREE_TEXT,
        description: "Text in the name or the description, not case-sensitive",
        examples: ["dental"],
      }),
    ),
    free: Type.Optional(Type.Boolean({ description: "Only those that are free, or only those that have a price" })),
  },
  closed,
);
export type OfferListQuery = Type.Static<typeof OfferListQuery>;

export const PurchaseCreate = Type.Object(
  {
    price_cents: Type.Optional(
      Type.Integer({
        ...Price,
        description: "The price that you saw, in minor units. Another price is refused",
        examples: [19_900],
      }),
    ),
    currency: Type.Optional(Type.String({ ...Currency, description: "The currency that you saw. Another one is refused" })),
  },
  { ...closed, title: "PurchaseCreate" },
);
export type PurchaseCreate = Type.Static<typeof PurchaseCreate>;

export const PurchaseStatus = Type.Enum([...PURCHASE_STATUSES], {
  type: "string",
  description: "due: the operator waits for the price. completed: the buyer has the snapshot",
  examples: ["due"],
});
const Role = Type.Enum([...ROLES], { description: "The side of the partner", examples: ["buyer"] });

export const purchase = {
  snapshot_id: Id("snapshot"),
  snapshot_name: Name,
  snapshot_version: Type.Integer({ ...VersionNumber, description: "The version that was offered at the purchase" }),
  seller_company: Company("Company of the seller"),
  price_cents: Price,
  currency: Currency,
  seller_share_cents: Type.Integer({ minimum: 0, description: "What the seller gets of the price", examples: [15_920] }),
  status: PurchaseStatus,
  commission_id: nullable(Id("commission")),
  created_at: Time,
  completed_at: nullable(Time),
  cancelled_at: nullable(Time),
  version: Version,
};

export const Purchase = Type.Object(
  {
    id: Id("purchase"),
    role: Role,
    ...purchase,
    commission_id: Type.Union([Id("commission"), Type.Null()], { description: "What the seller earned; for the seller alone" }),
  },
  { ...closed, title: "Purchase", description: "A purchase of a snapshot, as the buyer or the seller sees it." },
);
export type PurchaseShown = Type.Static<typeof Purchase>;

export const PurchaseList = listOf(Purchase, "PurchaseList");

/** The filters that partners and the operator have in common. */
export const purchaseFilters = {
  status: Type.Optional(Type.Array(PurchaseStatus, { minItems: 1, maxItems: PURCHASE_STATUSES.length, uniqueItems: true })),
  snapshot_id: Type.Optional(Type.String({ ...Id("snapshot"), description: "Only purchases of this snapshot" })),
  ...CreatedWithin,
};

export const PurchaseListQuery = Type.Object({ ...page, role: Type.Optional(Role), ...purchaseFilters }, closed);
export type PurchaseListQuery = Type.Static<typeof PurchaseListQuery>;
