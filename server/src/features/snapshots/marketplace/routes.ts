import { type Route, route } from "../../../platform/http/route.ts";
import { getListing, getOffer, setListing, withdrawListing } from "./listing.commands.ts";
import { offersPage } from "./listing.queries.ts";
import { buySnapshot, cancelOwnPurchase, getPurchase } from "./purchase.commands.ts";
import { purchasesPage } from "./purchase.queries.ts";
import {
  Listing,
  ListingSet,
  OfferDetail,
  OfferList,
  OfferListQuery,
  Purchase,
  PurchaseCreate,
  PurchaseList,
  PurchaseListQuery,
} from "./schema.ts";

const reads = { method: "GET", scope: "snapshots:read", partner_wide: true } as const;
const writes = { scope: "snapshots:write", partner_wide: true } as const;
const listing = { path: "/snapshots/{id}/listing", params: { id: "snapshot" } } as const;

const listings: Route[] = [
  route({
    ...reads,
    ...listing,
    operation: "listings.get",
    summary: "Get the listing of a snapshot",
    description: "What others see of it, and how the review of what was submitted last stands.",
    reply: { status: 200, schema: Listing },
    handle: (ctx, { params }) => getListing(ctx, params.id),
  }),
  route({
    ...writes,
    ...listing,
    operation: "listings.set",
    method: "PUT",
    summary: "List a snapshot",
    description:
      "Offers a version of an own snapshot to other partners, with the name and the description that the snapshot has now. Visibility and price apply at once. A version or texts that were not offered before wait for the operator, unless the programme has no review; what was listed before stays listed meanwhile.",
    body: ListingSet,
    errors: ["snapshot_bought", "snapshot_not_deployable"],
    reply: { status: 200, schema: Listing },
    handle: (ctx, { params, body }) => setListing(ctx, params.id, body),
  }),
  route({
    ...writes,
    ...listing,
    operation: "listings.withdraw",
    method: "DELETE",
    summary: "Withdraw a snapshot",
    description: "It is no longer offered. Partners that bought it keep it.",
    errors: ["snapshot_bought"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await withdrawListing(ctx, params.id)),
  }),
];

const offers: Route[] = [
  route({
    ...reads,
    operation: "marketplace.list",
    path: "/marketplace",
    summary: "List the marketplace",
    description: "The snapshots that partners offer, those that were listed last first.",
    params: {},
    query: OfferListQuery,
    reply: { status: 200, schema: OfferList },
    handle: (ctx, { query }) => offersPage(ctx.db, ctx.scope.partner_id, query),
  }),
  route({
    ...reads,
    operation: "marketplace.get",
    path: "/marketplace/{id}",
    summary: "Get an offer of the marketplace",
    description:
      "With the changelogs of its versions. An unlisted snapshot is found by its id. The seller sees its own also before the review.",
    params: { id: "snapshot" },
    reply: { status: 200, schema: OfferDetail },
    handle: (ctx, { params }) => getOffer(ctx, params.id),
  }),
];

const purchases: Route[] = [
  route({
    ...writes,
    operation: "purchases.create",
    method: "POST",
    path: "/snapshots/{id}/purchases",
    summary: "Buy a snapshot",
    description:
      "A free one can be deployed at once. Any other is due until the operator has its price. Versions that are offered later are included.",
    params: { id: "snapshot" },
    unversioned: true,
    body: PurchaseCreate,
    body_optional: true,
    errors: ["duplicate_purchase", "own_snapshot", "price_changed"],
    reply: { status: 201, schema: Purchase, location: (id) => `/purchases/${id}` },
    handle: (ctx, { params, body }) => buySnapshot(ctx, params.id, body ?? {}),
  }),
  route({
    ...reads,
    operation: "purchases.list",
    path: "/purchases",
    summary: "List purchases",
    description: "What the partner bought and sold, newest first.",
    params: {},
    query: PurchaseListQuery,
    exportable: true,
    reply: { status: 200, schema: PurchaseList },
    handle: (ctx, { query }) => purchasesPage(ctx.db, ctx.scope.partner_id, query),
  }),
  route({
    ...reads,
    operation: "purchases.get",
    path: "/purchases/{id}",
    summary: "Get a purchase",
    params: { id: "purchase" },
    reply: { status: 200, schema: Purchase },
    handle: (ctx, { params }) => getPurchase(ctx, params.id),
  }),
  route({
    ...writes,
    operation: "purchases.cancel",
    method: "POST",
    path: "/purchases/{id}/cancel",
    summary: "Cancel a purchase",
    description: "One of the partner's own that is due. The snapshot can be bought again. Repeating it changes nothing.",
    params: { id: "purchase" },
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: Purchase },
    handle: (ctx, { params }) => cancelOwnPurchase(ctx, params.id),
  }),
];

export const marketplaceRoutes: Route[] = [...listings, ...offers, ...purchases];
