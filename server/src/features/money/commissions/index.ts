export { type Earned, earnCharges, type Outcome } from "./charge.commands.ts";
export { claim, payClaim, releaseClaim } from "./claims.commands.ts";
export {
  type Claimed,
  claimableOf,
  countPayable,
  type Due,
  dueOf,
  dueOfAll,
  type LastRun,
  payablePartners,
  type Waiting,
  waitingAfter,
} from "./claims.queries.ts";
export { commissionsOfCharge } from "./detail.queries.ts";
export {
  booksOf,
  type Closing,
  closeEarning,
  type EarningCharge,
  openEarning,
  openLevels,
  rateOf,
  voidedCharges,
  type WonSale,
} from "./earn.commands.ts";
export { closedEarnings, type Earning, earningOfDeal, earningsOf, liveEarnings } from "./earnings.queries.ts";
export { feature } from "./feature.ts";
export { approveDue } from "./jobs.ts";
export { Journal } from "./journal.commands.ts";
export { listCommissions } from "./list.commands.ts";
export { payoutCommissions } from "./list.queries.ts";
export { CommissionList, CommissionListQuery, OperatorCommissionList } from "./list.schema.ts";
export {
  accountOf,
  addMonths,
  amountAt,
  coverageOf,
  isClaimed,
  keptAfter,
  type RuleRef,
  type Share,
  sharesOf,
  sourceOf,
  type Terms,
} from "./model.ts";
export { adjust, hold } from "./operator.commands.ts";
export { accruePurchase, type CompletedPurchase, purchaseCause } from "./purchase.commands.ts";
export { type AppliedRefund, refundCharge } from "./refund.commands.ts";
export { Commission } from "./schema.ts";
