import { type Statement, statement } from "./statement.ts";

/** Statements over the rows of many accounts of a partner, who is $1. A row is read as its id, whether it is archived, and its columns. */
export type RowSet = {
  /** Of the accounts $2: the digest of what is read, without the ids; and the ids. */
  look: Statement;
  read: Statement;
  /** Takes specs as JSON in $2, the time in $3, and of each row the id in $4, the account in $5 and the ordinal of its spec in $6. */
  insert: Statement;
  /** Takes rows as JSON in $2 and the time in $3. */
  update: Statement;
  /** Gives rows that are about to be renamed a name that no other has, so that two can swap theirs. */
  park: Statement;
  /** Of the ids in $2, at the time $3; null where rows are not archived. */
  archive: Statement | null;
  remove: Statement;
};

type Shape = {
  table: string;
  /** What a row consists of, with types, besides its ids and times. One is its `name`. */
  columns: Readonly<Record<string, string>>;
  archives: boolean;
  /** Columns that have the same value in each row of the set. */
  constants?: Readonly<Record<string, string>>;
};

/** The set of rows of a table that has `id`, `account_id`, `created_at`, `updated_at` and `version`. */
export function rowSet({ table, columns, archives, constants = {} }: Shape): RowSet {
  const names = Object.keys(columns);
  const spec = `json_build_object(${names.map((name) => `'${name}', c.${name}`).join(", ")})`;
  const archived = archives ? "c.archived" : "false";
  const belongs = Object.entries(constants).map(([name, value]) => ` and c.${name} = ${value}`);
  const ofAccounts = `from ${table} c where c.partner_id = $1 and c.account_id = any ($2)${belongs.join("")} group by c.account_id`;
  const sent = `jsonb_to_recordset($2) as v (id text, account_id text, ${names.map((name) => `${name} ${columns[name]}`).join(", ")})`;
  const same = Object.keys(constants);
  return {
    look: statement(`
  select c.account_id, array_agg(c.id order by c.id) as ids,
    encode(sha256(convert_to(json_agg(json_build_array(${archived}, ${spec}) order by c.id)::text, 'UTF8')), 'hex') as digest
  ${ofAccounts}`),
    read: statement(`
  select c.account_id,
    json_agg(json_build_object('id', c.id, 'archived', ${archived}, 'key', null, 'spec', ${spec}, 'parts', '[]'::json) order by c.id) as rows
  ${ofAccounts}`),
    insert: statement(`
  insert into ${table} (${["partner_id", "created_at", "updated_at", ...same, "id", "account_id", ...names].join(", ")})
  select ${["$1", "$3", "$3", ...Object.values(constants), "v.id", "v.account_id", ...names.map((name) => `s.${name}`)].join(", ")}
  ${newRows(columns, 2, 4)}`),
    update: statement(`
  update ${table} c set ${names.map((name) => `${name} = v.${name}`).join(", ")},${archives ? " archived = false," : ""}
    updated_at = $3, version = c.version + 1
  from ${sent} where c.partner_id = $1 and c.id = v.id`),
    park: statement(`
  update ${table} c set name = c.id
  from jsonb_to_recordset($2) as v (id text, name text)
  where c.partner_id = $1 and c.id = v.id and lower(c.name) <> lower(v.name)`),
    archive: archives
      ? statement(`
  update ${table} c set archived = true, updated_at = $3, version = c.version + 1
  where c.partner_id = $1 and c.id = any ($2) and not c.archived`)
      : null,
    remove: statement(`delete from ${table} c where c.partner_id = $1 and c.id = any ($2)`),
  };
}

/**
 * Rows `v` with an id and an account, from three parameters on, each with its spec `s` of those in another parameter as JSON: by the ordinal of
 * the spec, which many rows share.
 */
export function newRows(columns: Readonly<Record<string, string>>, specs: number, rows: number): string {
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `from unnest($${rows}::text[], $${rows + 1}::text[], $${rows + 2}::int[]) as v (id, account_id, ordinal)
  join jsonb_to_recordset($${specs}) as s (ordinal int, ${types.join(", ")}) on s.ordinal = v.ordinal`;
}
