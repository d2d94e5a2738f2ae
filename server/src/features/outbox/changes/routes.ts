import { type Route, route } from "../../../platform/http/route.ts";
import { readActivity } from "./activity/commands.ts";
import { ActivityFeed, ActivityFeedQuery } from "./activity/schema.ts";
import { readChanges } from "./commands.ts";
import { ChangeFeed, ChangeFeedQuery, ChangeHint, ChangeStreamQuery } from "./schema.ts";
import { streamChanges } from "./stream.commands.ts";

export const changeRoutes: Route[] = [
  route({
    operation: "changes.list",
    method: "GET",
    path: "/changes",
    summary: "Read the change feed",
    description:
      "Oldest first. Shows the records that the key may read. Each change names the record and its version; the record itself is read by its id.",
    scope: "events:read",
    partner_wide: false,
    params: {},
    query: ChangeFeedQuery,
    exportable: true,
    errors: ["cursor_expired"],
    reply: { status: 200, schema: ChangeFeed },
    handle: (ctx, { query }) => readChanges(ctx, query),
  }),
  route({
    operation: "changes.stream",
    method: "GET",
    path: "/changes/stream",
    summary: "Stream the change feed",
    description:
      "Server-sent events, without an end: `change` with the record that changed, in the order of the feed, each change once. The id of a message is a cursor of the feed. A reader that lost its connection goes on with `Last-Event-ID`, or with `after`.",
    scope: "events:read",
    partner_wide: false,
    params: {},
    query: ChangeStreamQuery,
    errors: ["cursor_expired"],
    reply: { status: 200, stream: "events", schema: ChangeHint, endless: true, streams_max: 1_000 },
    handle: (ctx, { query }) => streamChanges(ctx, query),
  }),
];

/** The same feed for sales reports. */
export const activityRoutes: Route[] = [
  route({
    operation: "activity.list",
    method: "GET",
    path: "/activity",
    summary: "Read the sales activity feed",
    description:
      "Oldest first. For reports: lead activity and stage changes as one feed, of every account that the key may see. Leads are in it when the key has `leads:read`.",
    scope: "deals:read",
    partner_wide: false,
    params: {},
    query: ActivityFeedQuery,
    exportable: true,
    errors: ["cursor_expired"],
    reply: { status: 200, schema: ActivityFeed },
    handle: (ctx, { query }) => readActivity(ctx, query),
  }),
];
