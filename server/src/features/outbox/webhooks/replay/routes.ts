import { type Route, route } from "../../../../platform/http/route.ts";
import { cancelReplay, createReplay, getReplay, listReplays } from "./commands.ts";
import { Replay, ReplayCreate, ReplayList, ReplayListQuery } from "./schema.ts";

const all = { partner_wide: false, params: { id: "endpoint" } } as const;
const one = { partner_wide: false, params: { id: "endpoint", replay_id: "replay" } } as const;

export const replayRoutes: Route[] = [
  route({
    operation: "replays.create",
    method: "POST",
    path: "/webhooks/{id}/replay",
    summary: "Replay past events to a webhook endpoint",
    description:
      "Events are queued in small portions, so that new events do not wait behind them. One replay of an endpoint runs at a time. A dry run only counts.",
    scope: "webhooks:write",
    ...all,
    body: ReplayCreate,
    errors: ["endpoint_disabled", "replay_in_progress"],
    reply: { status: 202, schema: Replay, location: (id, params) => `/webhooks/${params.id}/replays/${id}` },
    handle: (ctx, { params, body }) => createReplay(ctx, params.id, body),
  }),
  route({
    operation: "replays.list",
    method: "GET",
    path: "/webhooks/{id}/replays",
    summary: "List the replays of a webhook endpoint",
    scope: "webhooks:read",
    ...all,
    query: ReplayListQuery,
    reply: { status: 200, schema: ReplayList },
    handle: (ctx, { params, query }) => listReplays(ctx, params.id, query),
  }),
  route({
    operation: "replays.get",
    method: "GET",
    path: "/webhooks/{id}/replays/{replay_id}",
    summary: "Get a replay and its progress",
    scope: "webhooks:read",
    ...one,
    reply: { status: 200, schema: Replay },
    handle: (ctx, { params }) => getReplay(ctx, params.id, params.replay_id),
  }),
  route({
    operation: "replays.cancel",
    method: "DELETE",
    path: "/webhooks/{id}/replays/{replay_id}",
    summary: "Cancel a replay",
    description: "Its pending deliveries are cancelled.",
    scope: "webhooks:write",
    ...one,
    unversioned: true,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await cancelReplay(ctx, params.id, params.replay_id)),
  }),
];
