import type { RecordKind } from "../../../kernel/changes.ts";
import { fail } from "../../../kernel/errors.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { filteredKeys } from "./model.ts";
import { fieldKeys } from "./queries.ts";

/** Refuses filters of a list by custom fields that none of its accounts has; null stands for all accounts. */
export async function refuseUnknownFilters(
  db: Queryable,
  scope: TenantScope,
  resource: RecordKind,
  accounts: readonly string[] | null,
  query: object,
): Promise<void> {
  const requested = filteredKeys(query);
  if (requested.length === 0) return;
  const known = await fieldKeys(db, scope, resource, accounts);
  const names = known.length === 0 ? "There are none." : `The custom fields are ${known.join(", ")}.`;
  const faults = requested
    .filter((key) => !known.includes(key))
    .map((key) => ({
      in: "query" as const,
      pointer: `#/custom.${key}`,
      code: "unknown_parameter",
      detail: `There is no custom field ${key}. ${names}`,
    }));
  if (faults[0] !== undefined) fail("unknown_parameter", { detail: faults[0].detail, faults });
}
