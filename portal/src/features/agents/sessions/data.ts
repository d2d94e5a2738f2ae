import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type AgentSession = Schemas["Session"];
export type SessionWhole = Schemas["SessionWhole"];
export type SessionTurn = SessionWhole["history"][number];
export type SessionStatus = AgentSession["status"];
export type Said = Schemas["Message"];

/** Not "sessions": those are of people who have signed in. */
const KEY = "agent_sessions";
const LIVE = ["sessions"];

export type SessionFilter = { status?: SessionStatus[]; rating?: "good" | "bad" };

export const listRequest = (agent_id: string, filter: SessionFilter) =>
  `GET /v1/agents/${agent_id}/sessions${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const oneRequest = (id: string) => `GET /v1/sessions/${id}`;

/** The sessions of an agent, newest first. */
export function useSessions(id: string, filter: SessionFilter) {
  return useList<AgentSession>(
    [KEY, "list", id, filter],
    async (cursor, signal) => {
      const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET("/v1/agents/{id}/sessions", { params: { path: { id }, query }, signal })).data;
    },
    true,
    undefined,
    LIVE,
  );
}

export function useAgentSession(id: string) {
  return useQuery({
    queryKey: [KEY, "one", id],
    queryFn: async ({ signal }) => (await api.GET("/v1/sessions/{id}", { params: { path: { id } }, signal })).data,
    meta: { live: LIVE },
  });
}

/** What the person wrote, for those who may read conversations: the newest messages of the conversation. */
export function useWritten(conversation_id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["messages", "written", conversation_id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: conversation_id }, query: { limit: 100 } };
      const { data } = (await api.GET("/v1/conversations/{id}/messages", { params, signal })).data;
      return data.filter(({ direction }) => direction === "in").toReversed();
    },
    enabled,
  });
}

export function useEndSession() {
  return useWrite(async (id: string) => (await api.POST("/v1/sessions/{id}/end", { params: { path: { id } } })).data, KEY);
}

export function useGiveFeedback() {
  return useWrite(async ({ session, body }: { session: SessionWhole; body: Schemas["SessionFeedbackCreate"] }) => {
    const params = { path: { id: session.id }, header: ifMatch(session.version) };
    return (await api.POST("/v1/sessions/{id}/feedback", { body, params })).data;
  }, KEY);
}
