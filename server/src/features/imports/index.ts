export { createImport, getImport } from "./commands.ts";
export { createImportWorker, type ImportWorker, importJobs } from "./jobs.ts";
export { importRoutes } from "./routes.ts";
export { ImportOptions } from "./schema.ts";
export { workImport } from "./work/commands.ts";
