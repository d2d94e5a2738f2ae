export { addLink, createLink, linkByToken, listLinks, moveLink, noteExpiries, seenBy } from "./commands.ts";
export { failureIn } from "./failures.model.ts";
export { feature } from "./feature.ts";
export { methodIn } from "./methods.model.ts";
export {
  isOpen,
  LANGUAGES,
  type Language,
  type LinkStatus,
  leastCents,
  payableCents,
  refuseMember,
  statusWith,
  TOTAL_MAX,
} from "./model.ts";
export { qrCode } from "./qr.model.ts";
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
export { LinkListQuery } from "./schema.ts";
export { languageOf, type Say, textsOf } from "./texts.model.ts";
