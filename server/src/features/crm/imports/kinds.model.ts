import type { Resource } from "../../../kernel/changes.ts";
import { contactImport } from "../contacts/index.ts";
import { dealImport } from "../deals/index.ts";
import { leadImport } from "../leads/index.ts";
import type { Importable } from "../records/index.ts";

/** The kinds of record that can be imported. */
const KINDS: Record<Resource, Importable> = { contact: contactImport, lead: leadImport, deal: dealImport };

export const importableOf = (resource: Resource): Importable => KINDS[resource];
