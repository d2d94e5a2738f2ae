import { type Route, route } from "../../../platform/http/route.ts";
import { archiveChannel, createChannel, getChannel, listChannels, testChannel, updateChannel } from "./commands.ts";
import { Channel, ChannelCreate, ChannelList, ChannelListQuery, ChannelPatch, ChannelTest } from "./schema.ts";

const one = { partner_wide: false, path: "/channels/{id}", params: { id: "channel" } } as const;

export const channelRoutes: Route[] = [
  route({
    operation: "channels.list",
    method: "GET",
    path: "/channels",
    summary: "List channels",
    scope: "conversations:read",
    partner_wide: false,
    params: {},
    query: ChannelListQuery,
    reply: { status: 200, schema: ChannelList },
    handle: (ctx, { query }) => listChannels(ctx, query),
  }),
  route({
    operation: "channels.create",
    method: "POST",
    path: "/channels",
    summary: "Create a channel",
    description: "Secrets are stored encrypted and never shown again. Give `hook_path` to the provider, then test the channel.",
    scope: "conversations:write",
    partner_wide: false,
    params: {},
    body: ChannelCreate,
    errors: ["duplicate_channel", "channel_limit_reached", "account_required", "client_inactive"],
    reply: { status: 201, schema: Channel, location: (id) => `/channels/${id}` },
    handle: (ctx, { body }) => createChannel(ctx, body),
  }),
  route({
    operation: "channels.get",
    method: "GET",
    ...one,
    summary: "Get a channel",
    scope: "conversations:read",
    reply: { status: 200, schema: Channel },
    handle: (ctx, { params }) => getChannel(ctx, params.id),
  }),
  route({
    operation: "channels.update",
    method: "PATCH",
    ...one,
    summary: "Update a channel",
    description: "Of `config` and `secrets`, members that are not sent stay as they are. A channel in error is active again.",
    scope: "conversations:write",
    body: ChannelPatch,
    errors: ["duplicate_channel", "client_inactive", "invalid_state_transition"],
    reply: { status: 200, schema: Channel },
    handle: (ctx, { params, body }) => updateChannel(ctx, params.id, body),
  }),
  route({
    operation: "channels.archive",
    method: "DELETE",
    ...one,
    summary: "Archive a channel",
    description:
      "What is sent to its address is refused, what waits to be sent on it is not sent, and its conversations can only be read and closed. Another channel can take its name.",
    scope: "conversations:write",
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await archiveChannel(ctx, params.id)),
  }),
  route({
    operation: "channels.test",
    method: "POST",
    path: "/channels/{id}/test",
    partner_wide: false,
    params: { id: "channel" },
    summary: "Test a channel",
    description:
      "Asks the provider whether it accepts the channel. A refusal puts an active channel in error, a success ends one.",
    scope: "conversations:write",
    limit: { per_minute: 30, burst: 10 },
    reply: { status: 200, schema: ChannelTest },
    handle: (ctx, { params }) => testChannel(ctx, params.id),
  }),
];
