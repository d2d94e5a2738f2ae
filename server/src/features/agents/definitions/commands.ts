import { fail, notFound } from "../../../kernel/errors.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange, accountForNew } from "../../accounts/custom-fields/index.ts";
import { assignAgent } from "../../inbox/channels/index.ts";
import { AGENTS_MAX, DEFAULT_LIMITS, EMPTY_CONTENT } from "./model.ts";
import {
  AGENT_FIELDS,
  type Agent,
  agentForUpdateOrNull,
  agentIdByNameOrNull,
  agentOrNull,
  agentsPage,
  countAgents,
  insertAgent,
  saveAgent,
} from "./queries.ts";
import type { AgentChannels, AgentCreate, AgentListQuery, AgentPatch } from "./schema.ts";
import { storableContent, storeVersion } from "./versions/store.commands.ts";

/** Makes an agent with its first version, which answers nobody before it is published. */
export function createAgent(ctx: Context, { account_id, content, ...input }: AgentCreate): Promise<Agent> {
  return ctx.tx(async (tx) => {
    await takeTurn(tx, `agents of ${ctx.scope.partner_id}`);
    const account = await accountForNew(ctx, tx, "contact", account_id);
    await refuseTooMany(ctx, tx, account.id);
    const fields = { description: null, mode: "autopilot", limits: DEFAULT_LIMITS, ...input } as const;
    const agent = { ...fields, id: tx.newId("agent"), account_id: account.id, status: "draft" } as const;
    const storable = await storableContent(ctx, tx, agent, content ?? EMPTY_CONTENT, null);
    const made = { ...agent, latest_version: 1, published_version: null };
    const saved = (await insertAgent(tx, ctx.scope, made)) ?? (await refuseDuplicate(ctx, tx, made));
    await storeVersion(ctx, tx, saved.id, 1, storable, null);
    const changes = changesBetween<Partial<Agent>>({}, saved, AGENT_FIELDS);
    recordChange(tx, ctx.scope, { resource: "agent", change: "created", ...saved }, { action: "agents.create", changes });
    return saved;
  });
}

export async function getAgent(ctx: Context, id: string): Promise<Agent> {
  return (await agentOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listAgents(ctx: Context, query: AgentListQuery): Promise<{ json: string }> {
  return agentsPage(ctx.db, ctx.scope, query);
}

export function updateAgent(ctx: Context, id: string, patch: AgentPatch): Promise<Agent> {
  return ctx.tx(async (tx) => {
    const before = await lockedAgent(ctx, tx, id);
    if (patch.status !== undefined && before.published_version === null)
      fail("invalid_state_transition", {
        detail: "No version of the agent was published yet.",
        meta: { from: before.status, allowed: [] },
      });
    return changeAgent(ctx, tx, before, { ...before, ...patch }, "agents.update");
  });
}

/** Archives an agent: it answers nobody any more, and its channels have no agent. */
export function archiveAgent(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const before = await lockedAgent(ctx, tx, id, true);
    if (before.status === "archived") return;
    await assignAgent(ctx, tx, before, []);
    await changeAgent(ctx, tx, before, { ...before, status: "archived" }, "agents.archive");
  });
}

/** Sets the channels that an agent answers on. */
export function setChannels(ctx: Context, id: string, { channel_ids }: AgentChannels): Promise<Agent> {
  return ctx.tx(async (tx) => {
    const before = await lockedAgent(ctx, tx, id);
    await assignAgent(ctx, tx, before, channel_ids);
    if (before.channel_ids.toSorted().join() === channel_ids.toSorted().join()) return before;
    const saved = await saveChecked(ctx, tx, before);
    const changes = { channel_ids: { from: before.channel_ids, to: saved.channel_ids } };
    recordChange(tx, ctx.scope, { resource: "agent", change: "updated", ...saved }, { action: "agents.set_channels", changes });
    return saved;
  });
}

/** Saves a changed agent and records what changed. */
export async function changeAgent(ctx: Context, tx: Tx, before: Agent, after: Agent, action: string): Promise<Agent> {
  const changes = changesBetween<Agent>(before, after, AGENT_FIELDS);
  if (Object.keys(changes).length === 0) return before;
  const saved = await saveChecked(ctx, tx, after);
  recordChange(tx, ctx.scope, { resource: "agent", change: "updated", ...saved }, { action, changes });
  return saved;
}

async function saveChecked(ctx: Context, tx: Tx, agent: Agent): Promise<Agent> {
  return (await saveAgent(tx, ctx.scope, agent)) ?? refuseDuplicate(ctx, tx, agent);
}

/** An agent in use, or an archived one where that is meant, of an account that takes changes, at the version that the caller saw. The account is locked first. */
export async function lockedAgent(ctx: Context, tx: Tx, id: string, archived = false): Promise<Agent> {
  const { account_id } = (await agentOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await accountForChange(ctx, tx, "contact", account_id);
  const agent = (await agentForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, agent);
  if (agent.status === "archived" && !archived)
    fail("invalid_state_transition", {
      detail: "The agent is archived. Create another one.",
      meta: { from: "archived", allowed: [] },
    });
  return agent;
}

async function refuseTooMany(ctx: Context, tx: Tx, account_id: string): Promise<void> {
  if ((await countAgents(tx, ctx.scope, account_id)) < AGENTS_MAX) return;
  fail("agent_limit_reached", { detail: `An account has at most ${AGENTS_MAX} agents.`, meta: { limit: AGENTS_MAX } });
}

async function refuseDuplicate(ctx: Context, tx: Tx, agent: Pick<Agent, "account_id" | "name">): Promise<never> {
  const existing_id = await agentIdByNameOrNull(tx, ctx.scope, agent);
  fail("duplicate_agent", { detail: `Another agent has the name ${agent.name}.`, meta: { existing_id } });
}
