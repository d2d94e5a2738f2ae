import type { Applied, Asset, NewRecord } from "../../configuring/index.ts";
import { customFieldRules, type FieldSpec } from "./model.ts";
import { archiveFields, fieldReads, insertFields, type SavedField, saveFields } from "./queries.ts";

/** Custom fields in snapshots. Whoever removes one archives it: records keep their values. */
export const customFieldAsset: Asset = {
  ...customFieldRules,
  ...fieldReads,
  blocked: async () => [],
  async apply(tx, { partner_id }, changes) {
    const [made, saved, removed] = [[], [], []] as [NewRecord[], SavedField[], string[]];
    const applied = new Map<string, Applied[]>();
    for (const [account_id, list] of changes) {
      const done: Applied[] = [];
      for (const change of list) {
        if (change.do === "remove") {
          removed.push(change.id);
          continue;
        }
        const { key, to } = change;
        const id = change.do === "create" ? tx.newId("custom_field") : change.id;
        if (change.do === "create") made.push({ id, account_id, key, to });
        else saved.push({ ...(to as FieldSpec), id });
        done.push({ key, id, parts: [] });
      }
      applied.set(account_id, done);
    }
    await Promise.all([
      archiveFields(tx, partner_id, removed),
      saveFields(tx, partner_id, saved),
      insertFields(tx, partner_id, made),
    ]);
    return applied;
  },
};
