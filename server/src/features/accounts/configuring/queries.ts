import type { Queryable, Statement } from "../../../platform/db/statement.ts";
import type { Accounts, Asset, Live } from "./model.ts";

/**
 * Of a select of records in the accounts $2 of the partner $1, with account_id, id, archived, key, spec (jsonb) and parts (text[]): what
 * an asset looks at, and what it reads. Both are of the same JSON, which PostgreSQL writes in one way only.
 */
export const lookOf = (records: string) => `
  select r.account_id, string_agg(array_to_string(r.id || r.parts, ','), ',' order by r.id) as ids,
    encode(sha256(convert_to(jsonb_agg(jsonb_build_array(r.archived, r.key, r.spec) order by r.id)::text, 'UTF8')), 'hex') as digest
  from (${records}) r group by r.account_id`;
export const readOf = (records: string) => `
  select r.account_id, json_agg(json_build_object('id', r.id, 'archived', r.archived, 'key', r.key, 'spec', r.spec, 'parts', r.parts)
    order by r.id) as records
  from (${records}) r group by r.account_id`;

type Looked = { digest: string; ids: readonly string[] };

/** The reads of an asset by such statements, for all accounts: also for those that have nothing. */
export function recordReads(look: Statement, read: Statement, parameters: readonly unknown[] = []): Pick<Asset, "look" | "read"> {
  const query = <Row>(db: Queryable, of: Statement, { partner_id, ids }: Accounts) =>
    db.query<Row & { account_id: string }>(of, [partner_id, ids, ...parameters]);
  return {
    async look(db, of) {
      const found = new Map<string, Looked>(of.ids.map((id) => [id, { digest: "", ids: [] }]));
      for (const { account_id, digest, ids } of await query<{ digest: string; ids: string }>(db, look, of))
        found.set(account_id, { digest, ids: ids.split(",") });
      return found;
    },
    async read(db, of) {
      const found = new Map<string, Live[]>(of.ids.map((id) => [id, []]));
      for (const { account_id, records } of await query<{ records: Live[] }>(db, read, of)) found.set(account_id, records);
      return found;
    },
  };
}
