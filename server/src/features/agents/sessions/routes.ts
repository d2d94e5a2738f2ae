import { type Route, route } from "../../../platform/http/route.ts";
import { endSession, getSession, giveFeedback, listSessions } from "./commands.ts";
import { FeedbackCreate, SessionList, SessionListQuery, SessionWhole } from "./schema.ts";

export const sessionRoutes: Route[] = [
  route({
    operation: "agents.list_sessions",
    method: "GET",
    path: "/agents/{id}/sessions",
    summary: "List the sessions of an agent",
    description: "Newest first.",
    scope: "agents:read",
    partner_wide: false,
    params: { id: "agent" },
    query: SessionListQuery,
    reply: { status: 200, schema: SessionList },
    handle: (ctx, { params, query }) => listSessions(ctx, params.id, query),
  }),
  route({
    operation: "sessions.get",
    method: "GET",
    path: "/sessions/{id}",
    summary: "Get a session with its turns",
    scope: "agents:read",
    partner_wide: false,
    params: { id: "session" },
    reply: { status: 200, schema: SessionWhole },
    handle: (ctx, { params }) => getSession(ctx, params.id),
  }),
  route({
    operation: "sessions.end",
    method: "POST",
    path: "/sessions/{id}/end",
    summary: "End a session",
    description: "The next message of the person begins another one. The owner of the conversation stays.",
    scope: "agents:write",
    partner_wide: false,
    params: { id: "session" },
    errors: ["invalid_state_transition", "client_inactive"],
    reply: { status: 200, schema: SessionWhole },
    handle: (ctx, { params }) => endSession(ctx, params.id),
  }),
  route({
    operation: "sessions.feedback",
    method: "POST",
    path: "/sessions/{id}/feedback",
    summary: "Rate a session",
    description:
      "The last feedback counts. `POST /sessions/{id}/to-test` makes a test of a session that went well, or should have.",
    scope: "agents:write",
    partner_wide: false,
    params: { id: "session" },
    body: FeedbackCreate,
    errors: ["client_inactive"],
    reply: { status: 200, schema: SessionWhole },
    handle: (ctx, { params, body }) => giveFeedback(ctx, params.id, body),
  }),
];
