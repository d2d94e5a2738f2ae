export { recordCharges } from "./commands.ts";
export { feature } from "./feature.ts";
export { earnSale, type SaleEarned, unearnSale } from "./sale.commands.ts";
