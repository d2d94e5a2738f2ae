export { addContact, changeContact, createContact, removeContact } from "./commands.ts";
export { feature } from "./feature.ts";
export { contactImport } from "./import/commands.ts";
export { type LeadMerge, mergeLeadInto, undoLeadMerge } from "./lead-merge.commands.ts";
export { familyOf } from "./merge/queries.ts";
export { type Contact as ContactRow, canonicalPhone, KEEP_DELETED_MS } from "./model.ts";
export { contactOrNull } from "./queries.ts";
export { Contact, ContactCreate, ContactPatch, personFields } from "./schema.ts";
