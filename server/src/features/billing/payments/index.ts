export {
  attemptOfForm,
  beginAttempt,
  type Form,
  lookAt,
  netOf,
  onlineProviders,
  type Refused,
  releaseLink,
  takesPayments,
} from "./attempts.commands.ts";
export { type Attempt, attemptOrNull } from "./attempts.queries.ts";
export { listPayments, recordByHand } from "./commands.ts";
export { feature } from "./feature.ts";
export { heardOf, takeProviderEvent } from "./hooks.commands.ts";
export { erasePayers, type Payment, paymentOfAttemptOrNull } from "./queries.ts";
export { fileOf, paymentByReceiptToken, receiptToken } from "./receipt.commands.ts";
export { refundPayment } from "./refunds.commands.ts";
export { PaymentListQuery } from "./schema.ts";
export { paymentsOf } from "./timeline.queries.ts";
