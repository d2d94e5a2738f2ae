import type { Resource } from "../../../kernel/changes.ts";
import { fail } from "../../../kernel/errors.ts";
import type { Importable } from "../../accounts/index.ts";
import { contactImport } from "../../contacts/index.ts";

/** The kinds of record that can be imported. One that is not here is refused. */
const KINDS: Partial<Record<Resource, Importable>> = { contact: contactImport };

export function kindOf(resource: Resource): Importable {
  const kind = KINDS[resource];
  if (kind !== undefined) return kind;
  const detail = `${resource}s cannot be imported yet.`;
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: "#/resource", code: "not_importable", detail }] });
}
