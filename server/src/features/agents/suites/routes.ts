import { type Route, route } from "../../../platform/http/route.ts";
import { createTest, deleteTest, getTest, listTests, updateTest } from "./commands.ts";
import { testRunRoutes } from "./runs/routes.ts";
import { AgentTest, AgentTestList, TestCreate, TestListQuery, TestOfSession, TestPatch } from "./schema.ts";
import { testFromSession } from "./session.commands.ts";

const ofAgent = { partner_wide: false, path: "/agents/{id}/tests", params: { id: "agent" } } as const;
const one = {
  partner_wide: false,
  path: "/agents/{id}/tests/{test_id}",
  params: { id: "agent", test_id: "agent_test" },
} as const;
const which = ({ id, test_id }: { id: string; test_id: string }) => ({ agent_id: id, id: test_id });

export const suiteRoutes: Route[] = [
  route({
    operation: "agent_tests.list",
    method: "GET",
    ...ofAgent,
    summary: "List the tests of an agent",
    description: "Oldest first.",
    scope: "agents:read",
    query: TestListQuery,
    reply: { status: 200, schema: AgentTestList },
    handle: (ctx, { params, query }) => listTests(ctx, params.id, query),
  }),
  route({
    operation: "agent_tests.create",
    method: "POST",
    ...ofAgent,
    summary: "Add a test to an agent",
    description: "A conversation of the sandbox with assertions: what the agent has to say and do.",
    scope: "agents:write",
    body: TestCreate,
    unversioned: true,
    errors: ["duplicate_test", "test_limit_reached", "client_inactive"],
    reply: { status: 201, schema: AgentTest, location: (test_id, { id }) => `/agents/${id}/tests/${test_id}` },
    handle: (ctx, { params, body }) => createTest(ctx, params.id, body),
  }),
  route({
    operation: "agent_tests.get",
    method: "GET",
    ...one,
    summary: "Get a test of an agent",
    scope: "agents:read",
    reply: { status: 200, schema: AgentTest },
    handle: (ctx, { params }) => getTest(ctx, which(params)),
  }),
  route({
    operation: "agent_tests.update",
    method: "PATCH",
    ...one,
    summary: "Update a test of an agent",
    description: "`request` is replaced as a whole.",
    scope: "agents:write",
    body: TestPatch,
    errors: ["duplicate_test", "client_inactive"],
    reply: { status: 200, schema: AgentTest },
    handle: (ctx, { params, body }) => updateTest(ctx, which(params), body),
  }),
  route({
    operation: "agent_tests.delete",
    method: "DELETE",
    ...one,
    summary: "Delete a test of an agent",
    scope: "agents:write",
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteTest(ctx, which(params))),
  }),
  route({
    operation: "sessions.to_test",
    method: "POST",
    path: "/sessions/{id}/to-test",
    summary: "Make a test of a session",
    description:
      "It has what the person wrote, the person as a fixture, the answers from outside as mocks, and what the agent did as assertions. It does not depend on records of the account.",
    scope: "agents:write",
    partner_wide: false,
    params: { id: "session" },
    body: TestOfSession,
    body_optional: true,
    unversioned: true,
    errors: ["duplicate_test", "test_limit_reached", "session_empty", "client_inactive"],
    reply: { status: 201, schema: AgentTest },
    handle: (ctx, { params, body }) => testFromSession(ctx, params.id, body),
  }),
  ...testRunRoutes,
];
