import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { lookOf, readOf, recordReads, type Spec } from "../../../accounts/configuring/index.ts";
import { OWN } from "./model.ts";

const RECORDS = `
  select c.account_id, c.id, c.status = 'archived' as archived, null::text as key, '{}'::text[] as parts,
    jsonb_build_object('name', c.name, 'description', c.description, 'mode', c.mode, 'limits', c.limits,
      'content', v.content - $3::text[]) as spec
  from agents c
  left join agent_versions v on v.partner_id = $1 and v.agent_id = c.id and v.number = c.published_version
  where c.partner_id = $1 and c.account_id = any ($2)`;

export const agentReads = recordReads(statement(lookOf(RECORDS)), statement(readOf(RECORDS)), [OWN]);

/** What an agent has before a change: its newest version, and what it does by the published one. */
export type AgentBefore = { id: string; latest_version: number; published_version: number | null; content: object | null };

const beforeStatement = statement(`
  select c.id, c.latest_version, c.published_version, v.content from agents c
  left join agent_versions v on v.partner_id = $1 and v.agent_id = c.id and v.number = c.published_version
  where c.partner_id = $1 and c.id = any ($2)`);

export async function agentsBefore(tx: Queryable, partner_id: string, ids: readonly string[]): Promise<AgentBefore[]> {
  return ids.length === 0 ? [] : tx.query<AgentBefore>(beforeStatement, [partner_id, ids]);
}

/** An agent as a change leaves it; `revived`: it was archived. */
export type AppliedAgent = Omit<Spec, "content"> & {
  id: string;
  account_id: string;
  latest_version: number;
  published_version: number | null;
  revived: boolean;
};

const ROWS = `jsonb_to_recordset($2) as v (id text, account_id text, name text, description text, mode text, limits jsonb,
    latest_version int, published_version int, revived boolean)`;

/** It answers nobody before somebody gives it channels and sets it to work. */
const insertStatement = statement(`
  insert into agents
    (partner_id, id, account_id, name, description, status, mode, limits, latest_version, published_version, created_at, updated_at)
  select $1, v.id, v.account_id, v.name, v.description, 'paused', v.mode, v.limits, v.latest_version, v.published_version, $3, $3
  from ${ROWS}`);
/** Gives agents that are about to be renamed a name that no other has, so that two can swap theirs. */
const parkStatement = statement(`
  update agents c set name = c.id from ${ROWS}
  where c.partner_id = $1 and c.id = v.id and c.status <> 'archived' and lower(c.name) <> lower(v.name)`);
const updateStatement = statement(`
  update agents c set name = v.name, description = v.description, mode = v.mode, limits = v.limits, latest_version = v.latest_version,
    published_version = v.published_version, updated_at = $3, version = c.version + 1,
    status = case when v.revived or (c.status = 'draft' and v.published_version is not null) then 'paused' else c.status end
  from ${ROWS} where c.partner_id = $1 and c.id = v.id`);
const archiveStatement = statement(`
  update agents c set status = 'archived', updated_at = $3, version = c.version + 1
  where c.partner_id = $1 and c.id = any ($2) and c.status <> 'archived'`);

type Rows = readonly AppliedAgent[];

export async function insertAgents(tx: Queryable, partner_id: string, rows: Rows, now: Date): Promise<void> {
  if (rows.length > 0) await tx.query(insertStatement, [partner_id, JSON.stringify(rows), now]);
}

export async function updateAgents(tx: Queryable, partner_id: string, rows: Rows, now: Date): Promise<void> {
  if (rows.length === 0) return;
  const all = JSON.stringify(rows);
  await Promise.all([tx.query(parkStatement, [partner_id, all]), tx.query(updateStatement, [partner_id, all, now])]);
}

export async function archiveAgents(tx: Queryable, partner_id: string, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length > 0) await tx.query(archiveStatement, [partner_id, ids, now]);
}

/** A version that is published at once, and the one that was before it. */
export type AppliedVersion = { agent_id: string; number: number; before: number | null; content: object; sha256: string };

/** The model of an agent stays the account's own, and so does its sealed key. */
const versionStatement = statement(`
  insert into agent_versions
    (partner_id, agent_id, number, content, secrets, sha256, created_by, created_at, updated_at, published_by, published_at)
  select $1, v.agent_id, v.number, v.content, case when v.content ? 'model' then b.secrets end, v.sha256, 'system', $3, $3, 'system', $3
  from jsonb_to_recordset($2) as v (agent_id text, number int, before int, content jsonb, sha256 text)
  left join agent_versions b on b.partner_id = $1 and b.agent_id = v.agent_id and b.number = v.before`);

export async function insertVersions(
  tx: Queryable,
  partner_id: string,
  versions: readonly AppliedVersion[],
  now: Date,
): Promise<void> {
  if (versions.length > 0) await tx.query(versionStatement, [partner_id, JSON.stringify(versions), now]);
}
