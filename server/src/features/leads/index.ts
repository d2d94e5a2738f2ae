export { addLead, changeLead, createLead, lockLead, removeLead, updateLead } from "./commands.ts";
export { leadJobs } from "./jobs.ts";
export type { Lead } from "./model.ts";
export { leadRoutes } from "./routes.ts";
export { LeadCreate, LeadPatch } from "./schema.ts";
