import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { listingsPage } from "./listing.queries.ts";
import {
  OperatorListing,
  OperatorListingDetail,
  OperatorListingList,
  OperatorListingListQuery,
  OperatorPurchase,
  OperatorPurchaseList,
  OperatorPurchaseListQuery,
  ReviewRejection,
} from "./operator.schema.ts";
import { cancelPurchase, completePurchase, getAnyPurchase } from "./purchase.commands.ts";
import { allPurchasesPage } from "./purchase.queries.ts";
import { approveListing, getSubmission, rejectListing, unlist } from "./review.commands.ts";

const decision = {
  method: "POST",
  params: { id: "snapshot" },
  errors: ["invalid_state_transition"],
  if_match_required: true,
  reply: { status: 200, schema: OperatorListing },
} as const;
const change = {
  method: "POST",
  params: { id: "purchase" },
  errors: ["invalid_state_transition"],
  reply: { status: 200, schema: OperatorPurchase },
} as const;

export const marketplaceAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_listings.list",
    method: "GET",
    path: "/snapshots",
    summary: "List snapshots of the marketplace",
    description: "Those that were submitted first come first: with `review=pending` it is the queue of the review.",
    params: {},
    query: OperatorListingListQuery,
    reply: { status: 200, schema: OperatorListingList },
    handle: (ctx, { query }) => listingsPage(ctx.db, query),
  }),
  operatorRoute({
    operation: "operator_listings.get",
    method: "GET",
    path: "/snapshots/{id}",
    summary: "Get a snapshot of the marketplace",
    description: "With the manifest and the changelog of the version that was submitted.",
    params: { id: "snapshot" },
    reply: { status: 200, schema: OperatorListingDetail },
    handle: (ctx, { params }) => getSubmission(ctx, params.id),
  }),
  operatorRoute({
    ...decision,
    operation: "operator_listings.approve",
    path: "/snapshots/{id}/approve",
    summary: "Approve a version",
    description: "It is listed, and available to partners that bought the snapshot. Repeating it changes nothing.",
    handle: (ctx, { params }) => approveListing(ctx, params.id),
  }),
  operatorRoute({
    ...decision,
    operation: "operator_listings.reject",
    path: "/snapshots/{id}/reject",
    summary: "Reject a version",
    description: "What was listed before stays listed. The seller reads the reason.",
    body: ReviewRejection,
    handle: (ctx, { params, body }) => rejectListing(ctx, params.id, body.reason),
  }),
  operatorRoute({
    ...decision,
    operation: "operator_listings.unlist",
    path: "/snapshots/{id}/unlist",
    summary: "Take a snapshot off the marketplace",
    description:
      "Nobody finds it or buys it any more; partners that bought it keep it. The seller reads the reason. Whatever it offers next waits for review. Repeating it changes nothing.",
    body: ReviewRejection,
    handle: (ctx, { params, body }) => unlist(ctx, params.id, body.reason),
  }),
  operatorRoute({
    operation: "operator_purchases.list",
    method: "GET",
    path: "/purchases",
    summary: "List purchases of all partners",
    description: "Newest first.",
    params: {},
    query: OperatorPurchaseListQuery,
    exportable: true,
    reply: { status: 200, schema: OperatorPurchaseList },
    handle: (ctx, { query }) => allPurchasesPage(ctx.db, query),
  }),
  operatorRoute({
    operation: "operator_purchases.get",
    method: "GET",
    path: "/purchases/{id}",
    summary: "Get a purchase",
    params: { id: "purchase" },
    reply: { status: 200, schema: OperatorPurchase },
    handle: (ctx, { params }) => getAnyPurchase(ctx, params.id),
  }),
  operatorRoute({
    ...change,
    operation: "operator_purchases.complete",
    path: "/purchases/{id}/complete",
    summary: "Complete a purchase",
    description:
      "Once the buyer has paid: the buyer gets the snapshot, the seller a commission of its share. Emits `snapshot.purchased` to both. Repeating it changes nothing.",
    handle: (ctx, { params }) => completePurchase(ctx, params.id),
  }),
  operatorRoute({
    ...change,
    operation: "operator_purchases.cancel",
    path: "/purchases/{id}/cancel",
    summary: "Cancel a purchase",
    description: "One that is due. The snapshot can be bought again. Repeating it changes nothing.",
    handle: (ctx, { params }) => cancelPurchase(ctx, params.id),
  }),
];
