import { type Route, route } from "../../../platform/http/route.ts";
import { attachmentRoutes } from "./attachments/routes.ts";
import {
  archiveConversation,
  closeConversation,
  createConversation,
  getConversation,
  listConversations,
  readConversation,
  reopenConversation,
  snoozeConversation,
  updateConversation,
} from "./commands.ts";
import { messageRoutes } from "./messages/routes.ts";
import { assignConversation, giveBack, handOff, takeOver } from "./owner.commands.ts";
import {
  Assignment,
  Conversation,
  ConversationCreate,
  ConversationList,
  ConversationListQuery,
  ConversationPatch,
  ConversationStreamed,
  ConversationStreamQuery,
  Handoff,
  OwnerChange,
  Snooze,
} from "./schema.ts";
import { streamConversations } from "./stream.commands.ts";

const all = { path: "/conversations", partner_wide: false, params: {} } as const;
const one = { path: "/conversations/{id}", partner_wide: false, params: { id: "conversation" } } as const;
const write = { scope: "conversations:write", partner_wide: false, params: { id: "conversation" } } as const;
const reply = { status: 200, schema: Conversation } as const;
const changeOwner = {
  ...write,
  method: "POST",
  errors: ["owner_changed", "invalid_state_transition", "client_inactive"],
  reply,
} as const;

const ownerRoutes: Route[] = [
  route({
    ...changeOwner,
    operation: "conversations.assign",
    path: "/conversations/{id}/assign",
    summary: "Assign a conversation",
    description: "To a user, or to nobody with `null`.",
    body: Assignment,
    handle: (ctx, { params, body }) => assignConversation(ctx, params.id, body),
  }),
  route({
    ...changeOwner,
    operation: "conversations.handoff",
    path: "/conversations/{id}/handoff",
    summary: "Hand a conversation off",
    description:
      "To a person, or to the agent of the channel. No agent answers a conversation that waits for a person; with `return_after_minutes` it goes back to the agent by itself.",
    body: Handoff,
    handle: (ctx, { params, body }) => handOff(ctx, params.id, body),
  }),
  route({
    ...changeOwner,
    operation: "conversations.takeover",
    path: "/conversations/{id}/takeover",
    summary: "Take a conversation over",
    description: "The caller becomes its owner. What an agent has begun to answer is not sent any more.",
    body: OwnerChange,
    body_optional: true,
    handle: (ctx, { params, body }) => takeOver(ctx, params.id, body),
  }),
  route({
    ...changeOwner,
    operation: "conversations.return",
    path: "/conversations/{id}/return",
    summary: "Return a conversation to the agent",
    description: "To the agent of its channel, or to nobody where the channel has none.",
    body: OwnerChange,
    body_optional: true,
    handle: (ctx, { params, body }) => giveBack(ctx, params.id, body),
  }),
];

const stateRoutes: Route[] = [
  route({
    operation: "conversations.close",
    method: "POST",
    path: "/conversations/{id}/close",
    summary: "Close a conversation",
    description: "It then belongs to nobody. A message of the person reopens it within seven days; later it begins another one.",
    ...write,
    errors: ["client_inactive"],
    reply,
    handle: (ctx, { params }) => closeConversation(ctx, params.id),
  }),
  route({
    operation: "conversations.reopen",
    method: "POST",
    path: "/conversations/{id}/reopen",
    summary: "Reopen a conversation",
    description: "Ends a snooze, too. Refused while there is another open conversation with the address.",
    ...write,
    errors: ["duplicate_conversation", "invalid_state_transition", "client_inactive"],
    reply,
    handle: (ctx, { params }) => reopenConversation(ctx, params.id),
  }),
  route({
    operation: "conversations.snooze",
    method: "POST",
    path: "/conversations/{id}/snooze",
    summary: "Snooze a conversation",
    description: "It opens again at the time, or when the person writes.",
    ...write,
    body: Snooze,
    errors: ["invalid_state_transition", "client_inactive"],
    reply,
    handle: (ctx, { params, body }) => snoozeConversation(ctx, params.id, body),
  }),
  route({
    operation: "conversations.read",
    method: "POST",
    path: "/conversations/{id}/read",
    summary: "Mark a conversation as read",
    ...write,
    unversioned: true,
    reply,
    handle: (ctx, { params }) => readConversation(ctx, params.id),
  }),
];

export const conversationRoutes: Route[] = [
  route({
    operation: "conversations.list",
    method: "GET",
    ...all,
    summary: "List conversations",
    description: "Those with the newest message first.",
    scope: "conversations:read",
    query: ConversationListQuery,
    reply: { status: 200, schema: ConversationList },
    handle: (ctx, { query }) => listConversations(ctx, query),
  }),
  route({
    operation: "conversations.create",
    method: "POST",
    ...all,
    summary: "Start a conversation",
    description:
      "With a contact, a lead or an address, and with a first message if there is a `text` or a `template_id`. A channel has one open conversation with an address; on e-mail, one per thread.",
    scope: "conversations:write",
    body: ConversationCreate,
    errors: [
      "duplicate_conversation",
      "recipient_opted_out",
      "consent_required",
      "reply_window_closed",
      "template_variable_missing",
      "client_inactive",
    ],
    reply: { status: 201, schema: Conversation, location: (id) => `/conversations/${id}` },
    handle: (ctx, { body }) => createConversation(ctx, body),
  }),
  route({
    operation: "conversations.stream",
    method: "GET",
    path: "/conversations/stream",
    summary: "Stream conversations and messages",
    description:
      "Server-sent events, without an end: `conversation` and `message` with the record as it is now, in the order of the change feed; changes of a record that come together are one event. A reader that lost its connection goes on with `Last-Event-ID`, or with `after`, and misses nothing.",
    scope: "conversations:read",
    partner_wide: false,
    params: {},
    query: ConversationStreamQuery,
    errors: ["cursor_expired"],
    reply: { status: 200, stream: "events", schema: ConversationStreamed, endless: true, streams_max: 1_000 },
    handle: (ctx, { query }) => streamConversations(ctx, query),
  }),
  route({
    operation: "conversations.get",
    method: "GET",
    ...one,
    summary: "Get a conversation",
    scope: "conversations:read",
    reply,
    handle: (ctx, { params }) => getConversation(ctx, params.id),
  }),
  route({
    operation: "conversations.update",
    method: "PATCH",
    ...one,
    summary: "Update a conversation",
    scope: "conversations:write",
    body: ConversationPatch,
    errors: ["client_inactive"],
    reply,
    handle: (ctx, { params, body }) => updateConversation(ctx, params.id, body),
  }),
  route({
    operation: "conversations.archive",
    method: "DELETE",
    ...one,
    summary: "Archive a conversation",
    description: "It is closed, is no longer listed, and is not reopened. Its messages can still be read.",
    scope: "conversations:write",
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await archiveConversation(ctx, params.id)),
  }),
  ...ownerRoutes,
  ...stateRoutes,
  ...messageRoutes,
  ...attachmentRoutes,
];
