import type { Resource } from "../../../kernel/changes.ts";
import type { Importable } from "../../accounts/index.ts";
import { contactImport } from "../../contacts/index.ts";
import { dealImport } from "./deals/commands.ts";
import { leadImport } from "./leads/commands.ts";

/** The kinds of record that can be imported. */
const KINDS: Record<Resource, Importable> = { contact: contactImport, lead: leadImport, deal: dealImport };

export const kindOf = (resource: Resource): Importable => KINDS[resource];
