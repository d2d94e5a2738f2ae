import { type Route, route } from "../../platform/http/route.ts";
import { getEvent, readFeed } from "./commands.ts";
import { Event, EventFeed, EventFeedQuery } from "./schema.ts";

export const eventRoutes: Route[] = [
  route({
    operation: "events.list",
    method: "GET",
    path: "/events",
    summary: "Read the event feed, oldest first",
    scope: "events:read",
    partner_wide: false,
    params: {},
    query: EventFeedQuery,
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
];
