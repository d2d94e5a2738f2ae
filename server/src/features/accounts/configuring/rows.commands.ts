import type { Kind } from "../../../kernel/ids.ts";
import type { RowSet } from "../../../platform/db/row-set.ts";
import type { Query } from "../../../platform/db/statement.ts";
import type { Applied, Asset, Live } from "./model.ts";
import { type NewRecord, newRecords } from "./new-records.model.ts";

type Looked = { account_id: string; digest: string; ids: string[] };

/** The part of an asset that deals with its records, where each is one row without parts that nothing else refers to. */
export function rowsOf(set: RowSet, kind: Kind): Pick<Asset, "look" | "read" | "blocked" | "apply"> {
  return {
    async look(db, { partner_id, ids }) {
      const rows = await db.query<Looked>(set.look, [partner_id, ids]);
      const found = new Map(rows.map(({ account_id, digest, ids }) => [account_id, { digest, ids }]));
      return new Map(ids.map((id) => [id, found.get(id) ?? { digest: "", ids: [] }]));
    },

    async read(db, { partner_id, ids }) {
      const rows = await db.query<{ account_id: string; rows: Live[] }>(set.read, [partner_id, ids]);
      const found = new Map(rows.map((one) => [one.account_id, one.rows]));
      return new Map(ids.map((id) => [id, found.get(id) ?? []]));
    },

    blocked: async () => [],

    async apply(tx, { partner_id }, changes) {
      const [inserted, updated, archived, removed] = [[], [], [], []] as [NewRecord[], object[], string[], string[]];
      const applied = new Map<string, Applied[]>();
      let renames = false;
      for (const [account_id, all] of changes) {
        const saved: Applied[] = [];
        for (const change of all) {
          if (change.do === "remove") {
            (set.archive === null || change.unmade ? removed : archived).push(change.id);
            continue;
          }
          const id = change.id ?? tx.newId(kind);
          const { key, to } = change;
          if (change.do === "create") inserted.push({ id, account_id, key, to });
          else updated.push({ ...to, id, account_id });
          saved.push({ key, id, parts: [] });
        }
        // One alone takes a name that is free, or that a record which is removed had.
        renames ||= all.filter((change) => change.do === "update" || change.do === "revive").length > 1;
        applied.set(account_id, saved);
      }
      const [specs, ...rows] = newRecords(inserted);
      const queries: (Query | false)[] = [
        removed.length > 0 && { statement: set.remove, values: [partner_id, removed] },
        set.archive !== null && archived.length > 0 && { statement: set.archive, values: [partner_id, archived, tx.now] },
        renames && { statement: set.park, values: [partner_id, JSON.stringify(updated)] },
        updated.length > 0 && { statement: set.update, values: [partner_id, JSON.stringify(updated), tx.now] },
        inserted.length > 0 && { statement: set.insert, values: [partner_id, specs, tx.now, ...rows] },
      ];
      await Promise.all(queries.map((query) => query !== false && tx.query(query.statement, query.values)));
      return applied;
    },
  };
}
