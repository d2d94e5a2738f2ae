import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency } from "../../api/client.ts";
import { PAGE_ROWS, useList } from "../../api/lists.ts";
import { portal } from "../../api/portal.ts";
import { useSession } from "../../api/session.ts";

export type OperatorKey = components["schemas"]["OperatorKey"];

const PATH = "/v1/admin/keys";
const queryKey = ["operator-keys"];

export function useOperatorKeys() {
  return useList<OperatorKey>(queryKey, async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useCreateOperatorKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, key }: { name: string; key: string }) =>
      (await api.POST(PATH, { body: { name }, params: { header: idempotency(key) } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

export function useRevokeOperatorKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => void (await api.DELETE(`${PATH}/{id}`, { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

export type OperatorUser = components["schemas"]["OperatorUser"];
/** What became of an invitation: sent by e-mail, or a link to pass on. */
export type Invited = { url: string | null; sent: boolean };

const USERS = "/v1/admin/users";
const usersKey = ["operator-users"];

export function useOperatorUsers() {
  return useList<OperatorUser>(usersKey, async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(USERS, { params: { query }, signal })).data;
  });
}

const invitation = (user_id: string) => portal<Invited>("POST", "/invitations", { user_id });

/** Creates the user. Where the service sends e-mail it invites them by itself; elsewhere a link is asked for, to pass on. */
export function useInviteOperator() {
  const queries = useQueryClient();
  const { smtp } = useSession();
  return useMutation({
    mutationFn: async ({ body, key }: { body: { name: string; email: string }; key: string }): Promise<Invited> => {
      const user = (await api.POST(USERS, { body, params: { header: idempotency(key) } })).data;
      return smtp ? { url: null, sent: true } : invitation(user.id);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: usersKey }),
  });
}

export function useRemoveOperator() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => void (await api.DELETE(`${USERS}/{id}`, { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: usersKey }),
  });
}
