export { addLink, linkByToken, seenBy } from "./commands.ts";
export { feature } from "./feature.ts";
export { isOpen, type LinkStatus, leastCents, payableCents, refuseMember, statusWith, TOTAL_MAX } from "./model.ts";
export {
  eraseCustomers,
  hasLinks,
  linkForUpdateOrNull,
  linkOrNull,
  type PaymentLink,
  type Seen,
  type Seller,
  saveLink,
  sellerOf,
} from "./queries.ts";
