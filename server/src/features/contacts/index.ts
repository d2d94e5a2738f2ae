export { addContact, changeContact, createContact, removeContact } from "./commands.ts";
export { type Filling, fillContact, unfillContact } from "./fill/commands.ts";
export { contactImport } from "./import/commands.ts";
export { contactJobs } from "./jobs.ts";
export { type Contact as ContactRow, canonicalPhone, KEEP_DELETED_MS } from "./model.ts";
export { contactOrNull } from "./queries.ts";
export { contactRoutes } from "./routes.ts";
export { Contact, ContactCreate, ContactPatch, personFields } from "./schema.ts";
