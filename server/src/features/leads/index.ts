export {
  addLead,
  changeLead,
  createLead,
  identityOf as leadIdentity,
  lockLead,
  removeLead,
  saveScored,
  updateLead,
} from "./commands.ts";
export { convertLead, unconvertLead } from "./convert/commands.ts";
export { leadJobs } from "./jobs.ts";
export { AUDITED as LEAD_FIELDS, type Lead } from "./model.ts";
export { leadsForUpdate, leadsLike } from "./queries.ts";
export { leadRoutes } from "./routes.ts";
export { LeadCreate, LeadPatch } from "./schema.ts";
