export { commissionsOfCharge } from "./detail.queries.ts";
export {
  type AppliedRefund,
  booksOf,
  closeEarning,
  type Earned,
  type EarningCharge,
  earnCharges,
  type Outcome,
  openEarning,
  refundCharge,
  type WonSale,
} from "./earn.commands.ts";
export { type Earning, earningOfDeal, earningsOf, liveEarnings } from "./earnings.queries.ts";
export { feature } from "./feature.ts";
export { approveDue } from "./jobs.ts";
export { Journal } from "./journal.ts";
export { Commission } from "./schema.ts";
