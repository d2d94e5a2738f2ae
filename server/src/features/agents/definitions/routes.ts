import { type Route, route } from "../../../platform/http/route.ts";
import { archiveAgent, createAgent, getAgent, listAgents, setChannels, updateAgent } from "./commands.ts";
import { Agent, AgentChannels, AgentCreate, AgentList, AgentListQuery, AgentPatch } from "./schema.ts";
import { versionRoutes } from "./versions/routes.ts";

const one = { partner_wide: false, path: "/agents/{id}", params: { id: "agent" } } as const;

export const agentRoutes: Route[] = [
  route({
    operation: "agents.list",
    method: "GET",
    path: "/agents",
    summary: "List agents",
    scope: "agents:read",
    partner_wide: false,
    params: {},
    query: AgentListQuery,
    reply: { status: 200, schema: AgentList },
    handle: (ctx, { query }) => listAgents(ctx, query),
  }),
  route({
    operation: "agents.create",
    method: "POST",
    path: "/agents",
    summary: "Create an agent",
    description:
      "With its first version: `content`, or one that hands every conversation to a person. It answers once a version is published and channels are assigned to it.",
    scope: "agents:write",
    partner_wide: false,
    params: {},
    body: AgentCreate,
    errors: ["invalid_playbook", "duplicate_agent", "agent_limit_reached", "account_required", "client_inactive"],
    reply: { status: 201, schema: Agent, location: (id) => `/agents/${id}` },
    handle: (ctx, { body }) => createAgent(ctx, body),
  }),
  route({
    operation: "agents.get",
    method: "GET",
    ...one,
    summary: "Get an agent",
    scope: "agents:read",
    reply: { status: 200, schema: Agent },
    handle: (ctx, { params }) => getAgent(ctx, params.id),
  }),
  route({
    operation: "agents.update",
    method: "PATCH",
    ...one,
    summary: "Update an agent",
    scope: "agents:write",
    body: AgentPatch,
    errors: ["duplicate_agent", "invalid_state_transition", "client_inactive"],
    reply: { status: 200, schema: Agent },
    handle: (ctx, { params, body }) => updateAgent(ctx, params.id, body),
  }),
  route({
    operation: "agents.archive",
    method: "DELETE",
    ...one,
    summary: "Archive an agent",
    description: "It answers nobody any more, and its channels have no agent. Another agent can take its name.",
    scope: "agents:write",
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await archiveAgent(ctx, params.id)),
  }),
  route({
    operation: "agents.set_channels",
    method: "PUT",
    path: "/agents/{id}/channels",
    partner_wide: false,
    params: { id: "agent" },
    summary: "Set the channels of an agent",
    description: "A channel has one agent at most: one that has another is refused.",
    scope: "agents:write",
    body: AgentChannels,
    errors: ["resource_in_use", "invalid_state_transition", "client_inactive"],
    reply: { status: 200, schema: Agent },
    handle: (ctx, { params, body }) => setChannels(ctx, params.id, body),
  }),
  ...versionRoutes,
];
