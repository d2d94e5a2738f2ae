export { recordCharges, recordRefund } from "./commands.ts";
export { feature } from "./feature.ts";
export { earnSale, type SaleEarned, unearnSale } from "./sale.commands.ts";
export { type Verified, verifyBook, verifyBooks } from "./verify/commands.ts";
export type { Difference } from "./verify/model.ts";
