import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { lookOf, readOf, recordReads, type Spec } from "../../../accounts/configuring/index.ts";
import { SHARED } from "./model.ts";

const RECORDS = `
  select c.account_id, c.id, c.archived_at is not null as archived, null::text as key, '{}'::text[] as parts,
    jsonb_build_object('kind', c.kind, 'name', c.name, 'hours', c.hours, 'timezone', c.timezone, 'per_minute', c.per_minute, 'config',
      (select coalesce(jsonb_object_agg(m.key, m.value), '{}') from jsonb_each(c.config) m where m.key = any ($3))) as spec
  from channels c where c.partner_id = $1 and c.account_id = any ($2)`;

export const channelReads = recordReads(statement(lookOf(RECORDS)), statement(readOf(RECORDS)), [SHARED]);

/** A channel as a change leaves it. One that is new, or comes back, has a new token. */
export type AppliedChannel = Spec & { id: string; account_id: string; token?: string };

const ROWS = `jsonb_to_recordset($2) as v (id text, account_id text, kind text, name text, config jsonb, hours jsonb, timezone text,
    per_minute int, token text)`;

/** It sends nothing before it has its secrets, and somebody has set it to work. */
const insertStatement = statement(`
  insert into channels (partner_id, id, account_id, kind, name, status, config, token, hours, timezone, per_minute, created_at, updated_at)
  select $1, v.id, v.account_id, v.kind, v.name, 'paused', v.config, v.token, v.hours, v.timezone, v.per_minute, $3, $3 from ${ROWS}`);
const reviveStatement = statement(`
  update channels c set archived_at = null, status = 'paused', token = v.token from ${ROWS}
  where c.partner_id = $1 and c.id = v.id`);
/** Gives channels that are about to be renamed a name that no other has, so that two can swap theirs. */
const parkStatement = statement(`
  update channels c set name = c.id from ${ROWS}
  where c.partner_id = $1 and c.id = v.id and c.archived_at is null and lower(c.name) <> lower(v.name)`);
const updateStatement = statement(`
  update channels c set name = v.name, config = (c.config - $4::text[]) || v.config, hours = v.hours, timezone = v.timezone,
    per_minute = v.per_minute, updated_at = $3, version = c.version + 1
  from ${ROWS} where c.partner_id = $1 and c.id = v.id`);
const archiveStatement = statement(`
  update channels c set archived_at = $3, status = 'paused', updated_at = $3, version = c.version + 1
  where c.partner_id = $1 and c.id = any ($2) and c.archived_at is null
  returning c.token`);

type Rows = readonly AppliedChannel[];

export async function insertChannels(tx: Queryable, partner_id: string, rows: Rows, now: Date): Promise<void> {
  if (rows.length > 0) await tx.query(insertStatement, [partner_id, JSON.stringify(rows), now]);
}

/** Saves channels, of which some were archived. What is an account's own stays as it is. */
export async function updateChannels(tx: Queryable, partner_id: string, rows: Rows, now: Date): Promise<void> {
  if (rows.length === 0) return;
  const revived = rows.filter(({ token }) => token !== undefined);
  const all = JSON.stringify(rows);
  await Promise.all([
    tx.query(parkStatement, [partner_id, all]),
    tx.query(updateStatement, [partner_id, all, now, SHARED]),
    revived.length > 0 && tx.query(reviveStatement, [partner_id, JSON.stringify(revived)]),
  ]);
}

/** Gives the tokens of the channels, which end with them. */
export async function archiveChannels(tx: Queryable, partner_id: string, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  return (await tx.query<{ token: string }>(archiveStatement, [partner_id, ids, now])).map(({ token }) => token);
}
