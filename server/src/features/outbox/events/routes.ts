import { type Route, route } from "../../../platform/http/route.ts";
import { getEvent, listEventTypes, readFeed } from "./commands.ts";
import { Event, EventFeed, EventFeedQuery, EventTypes } from "./schema.ts";

export const eventRoutes: Route[] = [
  route({
    operation: "events.list",
    method: "GET",
    path: "/events",
    summary: "Read the event feed",
    description: "Oldest first, or newest first with `order=newest`.",
    scope: "events:read",
    partner_wide: false,
    params: {},
    query: EventFeedQuery,
    exportable: true,
    errors: ["cursor_expired"],
    reply: { status: 200, schema: EventFeed },
    handle: (ctx, { query }) => readFeed(ctx, query),
  }),
  route({
    operation: "events.get",
    method: "GET",
    path: "/events/{id}",
    summary: "Get an event",
    scope: "events:read",
    partner_wide: false,
    params: { id: "event" },
    reply: { status: 200, schema: Event },
    handle: (ctx, { params }) => getEvent(ctx, params.id),
  }),
  route({
    operation: "events.types",
    method: "GET",
    path: "/event-types",
    summary: "List event types",
    description: "Each with its JSON Schema and an example.",
    scope: "events:read",
    partner_wide: false,
    params: {},
    reply: { status: 200, schema: EventTypes },
    handle: () => listEventTypes(),
  }),
];
