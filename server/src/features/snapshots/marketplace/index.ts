export { feature } from "./feature.ts";
export { setListing } from "./listing.commands.ts";
export { OperatorPurchaseListQuery } from "./operator.schema.ts";
export { buySnapshot, cancelPurchase, completePurchase } from "./purchase.commands.ts";
export { allPurchasesPage } from "./purchase.queries.ts";
export { approveListing } from "./review.commands.ts";
export { checkPurchases } from "./verify.commands.ts";
