import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, useList } from "../../api/lists.ts";
import { portal } from "../../api/portal.ts";
import { useSession } from "../../api/session.ts";

type Schemas = components["schemas"];
export type User = Schemas["User"];
export type Role = User["role"];
export type UserBody = Schemas["UserCreate"];
/** What became of an invitation: sent by e-mail, or a link to pass on. */
export type Invited = { url: string | null; sent: boolean; expires_at: string | null };

const PATH = "/v1/partners/users";
export const LIST_REQUEST = `GET ${PATH}?limit=${PAGE_ROWS}`;

export function useUsers(enabled = true) {
  return useList<User>(
    ["users", "list"],
    async (cursor, signal) =>
      (await api.GET(PATH, { params: { query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } }, signal })).data,
    enabled,
  );
}

function useChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["users"] });
}

const MAILED: Invited = { url: null, sent: true, expires_at: null };

/** Creates the user. Where the service sends e-mail it invites them by itself; elsewhere a link is asked for, to pass on. */
export function useInvite() {
  const onSuccess = useChanged();
  const { smtp } = useSession();
  return useMutation({
    mutationFn: async ({ body, key }: { body: UserBody; key: string }) => {
      const user = (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data;
      return { user, ...(smtp ? MAILED : await invitation(user.id)) };
    },
    onSuccess,
  });
}

const invitation = (user_id: string) => portal<Invited>("POST", "/invitations", { user_id });

/** A new invitation; the former one no longer works. */
export function useInviteAgain() {
  return useMutation({ mutationFn: async (user: User) => ({ user, ...(await invitation(user.id)) }) });
}

export function useUpdateUser() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ user, body }: { user: User; body: Schemas["UserPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: user.id }, header: ifMatch(user.version) } })).data,
    onSuccess,
  });
}

export function useRemoveUser() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async (user: User) => {
      await api.DELETE(`${PATH}/{id}`, { params: { path: { id: user.id }, header: ifMatch(user.version) } });
    },
    onSuccess,
  });
}
