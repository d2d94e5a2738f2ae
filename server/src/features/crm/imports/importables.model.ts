import type { Resource } from "../../../kernel/changes.ts";
import { contactImport } from "../contacts/index.ts";
import { dealImport } from "../deals/index.ts";
import { leadImport } from "../leads/index.ts";
import type { Importable } from "../records/index.ts";

const IMPORTABLES: Record<Resource, Importable> = { contact: contactImport, lead: leadImport, deal: dealImport };

export const importableOf = (resource: Resource): Importable => IMPORTABLES[resource];
