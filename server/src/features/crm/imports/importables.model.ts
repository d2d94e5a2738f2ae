import type { RecordKind } from "../../../kernel/changes.ts";
import { contactImport } from "../contacts/index.ts";
import { dealImport } from "../deals/index.ts";
import { leadImport } from "../leads/index.ts";
import type { Importable } from "../records/index.ts";

const IMPORTABLES: Record<RecordKind, Importable> = { contact: contactImport, lead: leadImport, deal: dealImport };

export const importableOf = (resource: RecordKind): Importable => IMPORTABLES[resource];
