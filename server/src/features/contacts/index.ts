export { createContact } from "./commands.ts";
export { contactJobs } from "./jobs.ts";
export { contactRoutes } from "./routes.ts";
export { ContactCreate } from "./schema.ts";
