import { listIdentity, pageOf } from "../../../../kernel/page.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { AgentVersion, AgentVersionWhole, type VersionListQuery, type VersionWhole } from "./schema.ts";

/** A version as the API shows it, with its JSON. */
export type Version = VersionWhole & { json: string };

const API_KEY_SET = { api_key_set: "(c.secrets is not null)" };
const WHOLE_JSON = rowJson(AgentVersionWhole, API_KEY_SET);
const LISTED_JSON = rowJson(AgentVersion, API_KEY_SET);

type Whose = Pick<TenantScope, "partner_id">;

const INSERTED = [
  "partner_id",
  "agent_id",
  "number",
  "content",
  "sha256",
  "secrets",
  "note",
  "created_by",
  "created_at",
  "updated_at",
] as const;
const insertStatement = statement(`
  with c as (insert into agent_versions ${insertValues(INSERTED)} returning *)
  select ${WHOLE_JSON} as json from c`);

/** `secrets` is the sealed key of the model. */
export type NewVersion = Pick<VersionWhole, "agent_id" | "number" | "content" | "sha256" | "note" | "created_by"> & {
  secrets: Buffer | null;
};

export async function insertVersion(tx: Tx, { partner_id }: Whose, version: NewVersion): Promise<Version> {
  const row = { ...version, content: JSON.stringify(version.content), partner_id, created_at: tx.now, updated_at: tx.now };
  const inserted = parsedRow<VersionWhole>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
  if (inserted === null) throw new Error("the version was not inserted");
  return inserted;
}

const oneStatement = statement(`
  select ${WHOLE_JSON} as json from agent_versions c where c.partner_id = $1 and c.agent_id = $2 and c.number = $3`);

export async function versionOrNull(
  db: Queryable,
  { partner_id }: Whose,
  agent_id: string,
  number: number,
): Promise<Version | null> {
  return parsedRow<VersionWhole>(await db.query(oneStatement, [partner_id, agent_id, number]));
}

const secretsStatement = statement(`
  select c.secrets from agent_versions c where c.partner_id = $1 and c.agent_id = $2 and c.number = $3`);

/** The sealed key of the model of a version. */
export async function secretsOf(db: Queryable, { partner_id }: Whose, agent_id: string, number: number): Promise<Buffer | null> {
  const [row] = await db.query<{ secrets: Buffer | null }>(secretsStatement, [partner_id, agent_id, number]);
  return row?.secrets ?? null;
}

const replaceStatement = statement(`
  with c as (
    update agent_versions set content = $4, sha256 = $5, note = $6, updated_at = $7, secrets = $8
    where partner_id = $1 and agent_id = $2 and number = $3 and published_at is null
    returning *)
  select ${WHOLE_JSON} as json from c`);

/** Replaces the content of a version that was never published; null for one that was. */
export async function replaceContent(
  tx: Tx,
  { partner_id }: Whose,
  { agent_id, number, content, sha256, note, secrets }: Omit<NewVersion, "created_by">,
): Promise<Version | null> {
  const values = [partner_id, agent_id, number, JSON.stringify(content), sha256, note, tx.now, secrets];
  return parsedRow<VersionWhole>(await tx.query(replaceStatement, values));
}

const publishStatement = statement(`
  update agent_versions set published_at = $4, published_by = $5, note = coalesce($6, note)
  where partner_id = $1 and agent_id = $2 and number = $3`);

export async function markPublished(
  tx: Tx,
  { partner_id }: Whose,
  agent_id: string,
  number: number,
  by: string,
  note: string | null,
): Promise<void> {
  await tx.query(publishStatement, [partner_id, agent_id, number, tx.now, by, note]);
}

const pageStatement = statement(`
  select c.number, ${LISTED_JSON} as json from agent_versions c
  where c.partner_id = $1 and c.agent_id = $2 and ($3::int is null or c.number < $3)
  order by c.number desc limit $4`);

/** The versions of an agent, the newest first. */
export function versionsPage(db: Queryable, { partner_id }: Whose, agent_id: string, query: VersionListQuery) {
  return pageOf(
    listIdentity("agent-versions", { agent_id }),
    query,
    ["number"],
    (position, limit) => {
      // A number of a forged cursor may be too large for the column.
      const below = position === null ? null : Math.min(Number(position[0]), 2 ** 31 - 1);
      return db.query<{ number: number; json: string }>(pageStatement, [partner_id, agent_id, below, limit + 1]);
    },
    ({ number }) => [number],
  );
}
