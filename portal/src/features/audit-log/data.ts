import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";
import { useSession } from "../../api/session.ts";
import { useKeys } from "../keys/data.ts";
import { useUsers } from "../users/data.ts";

export type Entry = components["schemas"]["AuditEntry"];
export type Outcome = Entry["outcome"];

/** What the log is narrowed to; names as the API has them. */
export type AuditFilter = {
  actor_id?: string;
  action?: string;
  client_id?: string;
  target?: string;
  outcome?: Outcome;
  counted?: boolean;
  created_after?: string;
  created_before?: string;
};

const PATH = "/v1/partners/audit-log";

export const listRequest = (filter: AuditFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const exportAddress = (filter: AuditFilter) => `/portal/api${PATH}${queryText({ ...filter, format: "csv" })}`;

export function useEntries(filter: AuditFilter) {
  return useList<Entry>(["audit-log", "list", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useEntry(id: string) {
  return useQuery({
    queryKey: ["audit-log", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The last thing that somebody, or a key, did; null if there is none. */
export function useLastEntryOf(actor_id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["audit-log", "last", actor_id],
    queryFn: async ({ signal }) => {
      const { data } = (await api.GET(PATH, { params: { query: { actor_id, limit: 1 } }, signal })).data;
      return data[0] ?? null;
    },
    enabled,
  });
}

/** The names of people and keys by their ids, as far as this person may see them. */
export function useActors(): ReadonlyMap<string, string> {
  const { user, scopes } = useSession();
  const keys = useKeys(scopes.includes("keys:read"));
  const users = useUsers(scopes.includes("account:read"));
  return new Map([
    ...keys.rows.map(({ id, name }) => [id, name] as const),
    ...users.rows.map(({ id, name }) => [id, name] as const),
    [user.id, user.name],
    ["system", "The service"],
  ]);
}
