import { type Route, route } from "../../../../platform/http/route.ts";
import { Agent } from "../schema.ts";
import { createVersion, diffVersions, getVersion, listVersions, publishVersion, replaceVersion, rollBack } from "./commands.ts";
import {
  AgentDiff,
  AgentVersionList,
  AgentVersionWhole,
  DiffQuery,
  Publication,
  Rollback,
  VersionCreate,
  VersionListQuery,
} from "./schema.ts";

const reads = { method: "GET", scope: "agents:read", partner_wide: false } as const;
const writes = { scope: "agents:write", partner_wide: false } as const;
const one = { id: "agent" } as const;
const numbered = { path: "/agents/{id}/versions/{version}", params: { ...one, version: "version_number" } } as const;

export const versionRoutes: Route[] = [
  route({
    ...reads,
    operation: "agents.list_versions",
    path: "/agents/{id}/versions",
    summary: "List the versions of an agent",
    description: "The newest first.",
    params: one,
    query: VersionListQuery,
    reply: { status: 200, schema: AgentVersionList },
    handle: (ctx, { params, query }) => listVersions(ctx, params.id, query),
  }),
  route({
    ...writes,
    operation: "agents.create_version",
    method: "POST",
    path: "/agents/{id}/versions",
    summary: "Add a version to an agent",
    description: "A draft until it is published. `If-Match` has the ETag of the agent.",
    params: one,
    body: VersionCreate,
    errors: ["invalid_playbook", "invalid_state_transition", "client_inactive"],
    reply: { status: 201, schema: AgentVersionWhole, location: (version, { id }) => `/agents/${id}/versions/${version}` },
    handle: (ctx, { params, body }) => createVersion(ctx, params.id, body),
  }),
  route({
    ...reads,
    ...numbered,
    operation: "agents.get_version",
    summary: "Get a version of an agent, with its content",
    reply: { status: 200, schema: AgentVersionWhole },
    handle: (ctx, { params }) => getVersion(ctx, params.id, Number(params.version)),
  }),
  route({
    ...writes,
    ...numbered,
    operation: "agents.replace_version",
    method: "PUT",
    summary: "Replace the content of a draft",
    description: "A version that was published never changes.",
    unversioned: true,
    body: VersionCreate,
    errors: ["invalid_playbook", "invalid_state_transition", "client_inactive"],
    reply: { status: 200, schema: AgentVersionWhole },
    handle: (ctx, { params, body }) => replaceVersion(ctx, params.id, Number(params.version), body),
  }),
  route({
    ...writes,
    operation: "agents.publish",
    method: "POST",
    path: "/agents/{id}/publish",
    summary: "Publish a version of an agent",
    description:
      "Sessions that begin from now on follow it; those under way end with the version that they began with. With `require_suite` the tests of the agent have to pass: those that do not are listed in `failed`.",
    params: one,
    body: Publication,
    errors: ["suite_failed", "suite_running", "no_tests", "invalid_state_transition", "client_inactive"],
    reply: { status: 200, schema: Agent },
    handle: (ctx, { params, body }) => publishVersion(ctx, params.id, body),
  }),
  route({
    ...writes,
    operation: "agents.rollback",
    method: "POST",
    path: "/agents/{id}/rollback",
    summary: "Publish an earlier version of an agent again",
    params: one,
    body: Rollback,
    errors: ["invalid_state_transition", "client_inactive"],
    reply: { status: 200, schema: Agent },
    handle: (ctx, { params, body }) => rollBack(ctx, params.id, body),
  }),
  route({
    ...reads,
    operation: "agents.diff",
    path: "/agents/{id}/diff",
    summary: "Compare two versions of an agent",
    params: one,
    query: DiffQuery,
    reply: { status: 200, schema: AgentDiff },
    handle: (ctx, { params, query }) => diffVersions(ctx, params.id, query),
  }),
];
