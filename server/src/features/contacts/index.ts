export { createContact } from "./commands.ts";
export { contactImport } from "./import/commands.ts";
export { contactJobs } from "./jobs.ts";
export { contactRoutes } from "./routes.ts";
export { ContactCreate } from "./schema.ts";
