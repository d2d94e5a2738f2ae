import type { ChangeDraft } from "../../kernel/changes.ts";
import { newId } from "../../kernel/ids.ts";
import { insertRows } from "../db/insert-rows.ts";
import type { Query } from "../db/statement.ts";

/** Without seq: the sequencer sets it after the commit. */
const insertChanges = insertRows("change_feed", [
  ["change_id", "text"],
  ["resource", "text"],
  ["account_id", "text"],
  ["subject", "text"],
  ["subject_version", "int"],
  ["change", "text"],
  ["transaction_id", "text"],
  ["ordinal", "int"],
  ["detail", "jsonb"],
]);

export function changesQuery(partner_id: string, drafts: readonly ChangeDraft[], now: Date): Query {
  const ids = drafts.map(() => newId("change", now.getTime()));
  return insertChanges(
    partner_id,
    drafts.map(({ resource, account_id, id, version, change, detail }, index) => [
      ids[index],
      resource,
      account_id,
      id,
      version,
      change,
      ids[0],
      index,
      detail === undefined ? null : JSON.stringify(detail),
    ]),
  );
}
