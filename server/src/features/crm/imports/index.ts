export { createImport, getImport } from "./commands.ts";
export { feature } from "./feature.ts";
export { createImportWorker, type ImportWorker } from "./jobs.ts";
export { ImportOptions } from "./schema.ts";
export { workImport } from "./work.commands.ts";
