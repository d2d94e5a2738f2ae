export { getImport } from "./commands.ts";
export { createImport } from "./create.commands.ts";
export { failedRowsFile, listReasons } from "./errors.commands.ts";
export { eraseFailedRows, type FailureReason } from "./errors.queries.ts";
export { feature } from "./feature.ts";
export { Parser } from "./file/parser.model.ts";
export { createImportWorker } from "./jobs.ts";
export { ImportOptions } from "./schema.ts";
export { workImport } from "./step.commands.ts";
