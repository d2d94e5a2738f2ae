export { recordCharges, recordRefund } from "./commands.ts";
export { feature } from "./feature.ts";
export { chargesPage } from "./list.queries.ts";
export { ChargeListQuery } from "./list.schema.ts";
export { reportCharge, reportCharges } from "./report.commands.ts";
export { CHARGES_MAX, ChargeCreate } from "./report.schema.ts";
export { earnSale, type SaleEarned, unearnSale } from "./sale.commands.ts";
export { type BookCheck, type Verified, verifyBook, verifyBooks } from "./verify/commands.ts";
export type { Difference, Found } from "./verify/model.ts";
