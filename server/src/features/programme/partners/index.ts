export { createPartner } from "./commands.ts";
export { feature } from "./feature.ts";
export { setGrade } from "./grades/commands.ts";
export { directionBetween, type GradeCause } from "./grades/model.ts";
export { admitPartner, getPartner, listPartners, registerPartner, updatePartner } from "./operator/commands.ts";
export { type Partner, UPLINE_MAX } from "./operator/model.ts";
export { lockTree, partnerForUpdateOrNull, partnerOrNull, partnersNamed, savePartner, uplineOf } from "./operator/queries.ts";
export { PartnerCreate, PartnerListQuery } from "./operator/schema.ts";
