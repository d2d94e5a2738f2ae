import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Conversation = Schemas["Conversation"];
export type Message = Schemas["Message"];
export type Attachment = Schemas["Attachment"];
export type NewMessage = Schemas["MessageCreate"];

/** What the list is narrowed to, as the API names it. */
export type ConversationFilter = { account_id: string } & Record<string, string | string[] | boolean>;

const PATH = "/v1/conversations";
const CONVERSATIONS = "conversations";
const MESSAGES = "messages";

/** A message changes a conversation without its version, and a person gives it its name. */
const CONCERNED = [MESSAGES, "contacts", "leads"];

export const listRequest = (filter: ConversationFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const attachmentAddress = (id: string) => `/portal/api/v1/attachments/${id}`;

/** Conversations, the newest message first. A message changes their order, and the version of none. */
export function useConversations(filter: ConversationFilter) {
  return useList<Conversation>(
    [CONVERSATIONS, "list", filter],
    async (cursor, signal) => {
      const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    true,
    undefined,
    CONCERNED,
  );
}

export function useConversation(id: string) {
  return useQuery({
    queryKey: [CONVERSATIONS, "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled: id !== "",
    meta: { live: CONCERNED },
  });
}

/** The messages of a conversation with its notes and events, newest first. */
export function useMessages(id: string) {
  return useList<Message>([MESSAGES, "of", id], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(`${PATH}/{id}/messages`, { params: { path: { id }, query }, signal })).data;
  });
}

/** The remote images of a mail as `data:` addresses by their numbers; empty for what could not be loaded. */
export function useImages(id: string, wanted: boolean) {
  return useQuery({
    queryKey: ["message images", id],
    queryFn: async ({ signal }) => {
      const { images } = (await api.GET("/v1/messages/{id}/images", { params: { path: { id } }, signal })).data;
      return images.map(({ media_type, content }) => (content === null ? "" : `data:${media_type};base64,${content}`));
    },
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useStartConversation() {
  return useWrite(
    async ({ body, key }: { body: Schemas["ConversationCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    CONVERSATIONS,
    MESSAGES,
  );
}

/** Sends a message under the owner that its writer saw. The same `client_message_id` is sent once, however often it is tried. */
export function useSendMessage({ id }: Conversation) {
  return useWrite(
    async (body: NewMessage & { owner_token: number; client_message_id: string }) =>
      (await api.POST(`${PATH}/{id}/messages`, { body, params: { path: { id } } })).data,
    CONVERSATIONS,
    MESSAGES,
  );
}

export function useAddNote({ id }: Conversation) {
  return useWrite(
    async (text: string) => (await api.POST(`${PATH}/{id}/notes`, { body: { text }, params: { path: { id } } })).data,
    CONVERSATIONS,
    MESSAGES,
  );
}

/** After a write: the conversation is known, lists and messages are read again. */
function useChanged() {
  const queries = useQueryClient();
  return async (conversation?: Conversation) => {
    if (conversation) queries.setQueryData([CONVERSATIONS, "one", conversation.id], conversation);
    await Promise.all([CONVERSATIONS, MESSAGES].map((name) => queries.invalidateQueries({ queryKey: [name] })));
  };
}

/** What can be done with a conversation besides writing. A change of the owner names the one that its maker saw. */
type Act =
  | { act: "takeover" | "return" | "close" | "reopen" }
  | { act: "assign"; owner_id: string | null }
  | { act: "snooze"; until: string }
  | { act: "update"; body: Schemas["ConversationPatch"] }
  | { act: "archive" };

export function useConversationAct() {
  const onSettled = useChanged();
  return useMutation({
    mutationFn: ({ conversation, ...act }: Act & { conversation: Conversation }) => perform(conversation, act),
    onSuccess: (conversation) => onSettled(conversation),
    // Whoever was too late sees what is now.
    onError: () => onSettled(),
  });
}

async function perform({ id, version, owner_token }: Conversation, act: Act): Promise<Conversation | undefined> {
  const params = { path: { id } };
  const checked = { ...params, header: ifMatch(version) };
  switch (act.act) {
    case "takeover":
      return (await api.POST(`${PATH}/{id}/takeover`, { body: { owner_token }, params })).data;
    case "return":
      return (await api.POST(`${PATH}/{id}/return`, { body: { owner_token }, params })).data;
    case "assign":
      return (await api.POST(`${PATH}/{id}/assign`, { body: { owner_id: act.owner_id, owner_token }, params })).data;
    case "snooze":
      return (await api.POST(`${PATH}/{id}/snooze`, { body: { until: act.until }, params: checked })).data;
    case "update":
      return (await api.PATCH(`${PATH}/{id}`, { body: act.body, params: checked })).data;
    case "archive":
      await api.DELETE(`${PATH}/{id}`, { params: checked });
      return undefined;
    case "close":
      return (await api.POST(`${PATH}/{id}/close`, { params: checked })).data;
    case "reopen":
      return (await api.POST(`${PATH}/{id}/reopen`, { params: checked })).data;
  }
}

/** Marks what the person wrote as read. */
export function useMarkRead() {
  return useWrite(async (id: string) => (await api.POST(`${PATH}/{id}/read`, { params: { path: { id } } })).data, CONVERSATIONS);
}

export function useCancelMessage() {
  return useWrite(
    async ({ id, version }: Message) => {
      await api.DELETE("/v1/messages/{id}", { params: { path: { id }, header: ifMatch(version) } });
    },
    CONVERSATIONS,
    MESSAGES,
  );
}

export function useRetryMessage() {
  return useWrite(
    async ({ id }: Message) => (await api.POST("/v1/messages/{id}/retry", { params: { path: { id } } })).data,
    CONVERSATIONS,
    MESSAGES,
  );
}

/** Sends a file, for a message to name. */
export function useUpload(account_id: string) {
  return useMutation({
    mutationFn: async (file: File) => {
      const query = { account_id, filename: file.name, ...(file.type ? { media_type: file.type } : {}) };
      const sent = await api.POST("/v1/attachments", {
        body: file as unknown as string,
        bodySerializer: (body) => body,
        headers: { "content-type": "application/octet-stream" },
        params: { query, header: idempotency(crypto.randomUUID()) },
      });
      return sent.data;
    },
  });
}
