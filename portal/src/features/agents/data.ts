import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, useList } from "../../api/lists.ts";
import { useWrite } from "../../api/writes.ts";

type Schemas = components["schemas"];
export type Agent = Schemas["Agent"];
export type AgentVersion = Schemas["AgentVersion"];
export type AgentVersionWhole = Schemas["AgentVersionWhole"];
export type AgentDiff = Schemas["AgentDiff"];
export type Content = Schemas["AgentVersionContent"];
export type Mode = Agent["mode"];

const PATH = "/v1/agents";
const KEY = "agents";

export const listRequest = (account_id: string, archived = false) =>
  `GET ${PATH}?account_id=${account_id}${archived ? "&status=archived" : ""}`;
export const oneRequest = (id: string) => `GET ${PATH}/${id}`;

/** The agents of an account in use, or its archived ones; all of them, since an account has 50 at most in use. */
export function useAgents(account_id: string, archived = false) {
  return useQuery({
    queryKey: [KEY, "list", account_id, archived],
    queryFn: async ({ signal }) => {
      const agents: Agent[] = [];
      const query = { account_id, limit: 100, ...(archived ? { status: ["archived" as const] } : {}) };
      for await (const agent of api.list(PATH, { params: { query }, signal })) agents.push(agent);
      return agents;
    },
  });
}

export function useAgent(id: string) {
  return useQuery({
    queryKey: [KEY, "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

export function useCreateAgent() {
  return useWrite(
    async ({ body, key }: { body: Schemas["AgentCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    KEY,
  );
}

export function useUpdateAgent() {
  return useWrite(
    async ({ agent, body }: { agent: Agent; body: Schemas["AgentPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: agent.id }, header: ifMatch(agent.version) } })).data,
    KEY,
  );
}

export function useArchiveAgent() {
  return useWrite(async (agent: Agent) => {
    await api.DELETE(`${PATH}/{id}`, { params: { path: { id: agent.id }, header: ifMatch(agent.version) } });
  }, KEY);
}

export function useSetChannels() {
  return useWrite(
    async ({ agent, channel_ids }: { agent: Agent; channel_ids: string[] }) =>
      (
        await api.PUT(`${PATH}/{id}/channels`, {
          body: { channel_ids },
          params: { path: { id: agent.id }, header: ifMatch(agent.version) },
        })
      ).data,
    KEY,
  );
}

/** The versions of an agent, the newest first. */
export function useVersions(id: string) {
  return useList<AgentVersion>([KEY, "versions", id], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(`${PATH}/{id}/versions`, { params: { path: { id }, query }, signal })).data;
  });
}

export function useVersion(id: string, version: number) {
  return useQuery({
    queryKey: [KEY, "version", id, version],
    queryFn: async ({ signal }) =>
      (await api.GET(`${PATH}/{id}/versions/{version}`, { params: { path: { id, version } }, signal })).data,
  });
}

/** What changes from a version to another; from 0, which is nothing, it is all of it. */
export function useDiff(id: string, from: number | undefined, to: number, enabled = true) {
  return useQuery({
    queryKey: [KEY, "diff", id, from, to],
    queryFn: async ({ signal }) => {
      const query = { to, ...(from === undefined ? {} : { from }) };
      return (await api.GET(`${PATH}/{id}/diff`, { params: { path: { id }, query }, signal })).data;
    },
    enabled,
  });
}

/** Saves a content: into the draft, or as the next version where the newest was published. `saved` hears of it before anything is read again. */
export function useSaveDraft(saved: (version: AgentVersionWhole) => void) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ agent, draft, content }: { agent: Agent; draft: number | null; content: Content }) {
      const { id, version } = agent;
      if (draft === null) {
        const params = { path: { id }, header: ifMatch(version) };
        return (await api.POST(`${PATH}/{id}/versions`, { body: { content }, params })).data;
      }
      const params = { path: { id, version: draft } };
      return (await api.PUT(`${PATH}/{id}/versions/{version}`, { body: { content }, params })).data;
    },
    onSuccess(version) {
      saved(version);
      queries.setQueryData([KEY, "version", version.agent_id, version.number], version);
      return queries.invalidateQueries({ queryKey: [KEY] });
    },
  });
}

export function usePublish() {
  return useWrite(
    async ({ agent, body }: { agent: Agent; body: Schemas["AgentPublication"] }) =>
      (await api.POST(`${PATH}/{id}/publish`, { body, params: { path: { id: agent.id }, header: ifMatch(agent.version) } })).data,
    KEY,
  );
}

export function useRollback() {
  return useWrite(
    async ({ agent, version }: { agent: Agent; version: number }) =>
      (
        await api.POST(`${PATH}/{id}/rollback`, {
          body: { version },
          params: { path: { id: agent.id }, header: ifMatch(agent.version) },
        })
      ).data,
    KEY,
  );
}
