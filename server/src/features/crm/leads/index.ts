export {
  addLead,
  changeLead,
  createLead,
  identityOf as leadIdentity,
  leadTimeline,
  lockLead,
  removeLead,
  saveScored,
  updateLead,
} from "./commands.ts";
export { convertLead, unconvertLead } from "./convert/commands.ts";
export { feature } from "./feature.ts";
export { leadImport } from "./import.commands.ts";
export { type Lead, reachable, wayBetween } from "./model.ts";
export { leadsForUpdate, leadsLike, leadsOf } from "./queries.ts";
export { LeadCreate, LeadPatch } from "./schema.ts";
export { leadScoringAsset } from "./scoring/asset/commands.ts";
export { introduceLead, settleLead } from "./settle.commands.ts";
