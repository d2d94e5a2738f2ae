export { createPartner } from "./commands.ts";
export { feature } from "./feature.ts";
export { getPartner, listPartners, registerPartner, updatePartner } from "./operator/commands.ts";
export { partnersNamed } from "./operator/queries.ts";
export { PartnerCreate, PartnerListQuery } from "./operator/schema.ts";
