import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import { type AgentListQuery, Agent as AgentSchema, type AgentShown } from "./schema.ts";

const AGENT_JSON = rowJson(AgentSchema, {
  channel_ids: `coalesce((select json_agg(n.id order by n.id) from channels n
      where n.partner_id = $1 and n.account_id = c.account_id and n.agent_id = c.id and n.archived_at is null), '[]')`,
});

/** An agent as the API shows it, with its JSON. */
export type Agent = AgentShown & { json: string };

export const AGENT_FIELDS = ["name", "description", "status", "mode", "limits", "latest_version", "published_version"] as const;
export type AgentFields = Pick<Agent, (typeof AGENT_FIELDS)[number]>;

const INSERTED = ["partner_id", "id", "account_id", ...AGENT_FIELDS, "created_at", "updated_at"] as const;
const insertStatement = statement(`
  with c as (insert into agents ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${AGENT_JSON} as json from c`);

/** Adds an agent; null when its name is in use. */
export async function insertAgent(
  tx: Tx,
  { partner_id }: TenantScope,
  agent: AgentFields & Pick<Agent, "id" | "account_id">,
): Promise<Agent | null> {
  const row = { ...agent, limits: JSON.stringify(agent.limits), partner_id, created_at: tx.now, updated_at: tx.now };
  return parsedRow<AgentShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const countStatement = statement(`
  select count(*)::int as count from agents c where c.partner_id = $1 and c.account_id = $2 and c.status <> 'archived'`);

/** How many agents an account has in use. */
export async function countAgents(tx: Queryable, { partner_id }: TenantScope, account_id: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countStatement, [partner_id, account_id]);
  return row?.count ?? 0;
}

const idByName = statement(`
  select c.id from agents c
  where c.partner_id = $1 and c.account_id = $2 and lower(c.name) = lower($3) and c.status <> 'archived'`);

/** The id of the agent in use that has a name. */
export async function agentIdByNameOrNull(
  tx: Queryable,
  { partner_id }: TenantScope,
  { account_id, name }: Pick<Agent, "account_id" | "name">,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(idByName, [partner_id, account_id, name]);
  return row?.id ?? null;
}

const namedStatement = statement(`
  select c.id from agents c where c.partner_id = $1 and lower(c.name) = lower($2) and c.status <> 'archived' order by c.id limit 2`);

/** The agents in use that have a name, two at most: names are unique within an account. */
export async function agentsNamed(db: Queryable, { partner_id }: TenantScope, name: string): Promise<string[]> {
  return (await db.query<{ id: string }>(namedStatement, [partner_id, name])).map(({ id }) => id);
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const agentById = statement(`select ${AGENT_JSON} as json from agents c where ${VISIBLE}`);
const lockAgent = statement(`select c.id from agents c where ${VISIBLE} for update`);

/** One agent within the caller's scope. */
export async function agentOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Agent | null> {
  return parsedRow<AgentShown>(await db.query(agentById, [scope.partner_id, id, boundClients(scope)]));
}

/** The same, locked. Read after the lock: a statement that waits for it has the channels as they were before. */
export async function agentForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Agent | null> {
  await tx.query(lockAgent, [scope.partner_id, id, boundClients(scope)]);
  return agentOrNull(tx, scope, id);
}

const updateStatement = statement(`
  with c as (
    update agents set ${assignments([...AGENT_FIELDS, "updated_at"], 3)}, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${AGENT_JSON} as json from c`);

/** Saves a locked agent; null when its name is in use. */
export async function saveAgent(tx: Tx, { partner_id }: TenantScope, agent: AgentShown): Promise<Agent | null> {
  const stored = { ...agent, limits: JSON.stringify(agent.limits) };
  const values = [partner_id, agent.id, ...valuesOf(stored, AGENT_FIELDS), tx.now];
  const rows = await unlessTaken(tx, () => tx.query<{ json: string }>(updateStatement, values));
  return rows === null ? null : parsedRow<AgentShown>(rows);
}

const IN_USE = ["draft", "active", "paused"] as const;

export function agentsPage(db: Queryable, scope: TenantScope, query: AgentListQuery) {
  const { account_id, status = IN_USE } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("agents", { account_id, status }),
      table: "agents",
      json: AGENT_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        anyOf("c.status", status, place),
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
      ],
    },
    query,
  );
}
