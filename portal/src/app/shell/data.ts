import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** How many conversations of an account wait for an answer; a message changes that, and the version of none. */
export function useWaiting(account_id: string | undefined, enabled: boolean) {
  return useQuery({
    queryKey: ["conversations", "waiting", account_id],
    queryFn: async ({ signal }) => {
      const query = account_id === undefined ? {} : { account_id };
      return (await api.GET("/v1/conversations/waiting", { params: { query }, signal })).data.waiting;
    },
    enabled,
    meta: { live: ["messages"] },
  });
}

/** The clients whose name begins like what was typed, for the choice of an account. */
export function useAccountsLike(text: string, enabled: boolean) {
  return useQuery({
    queryKey: ["clients", "accounts", text],
    queryFn: async ({ signal }) => {
      const query = { limit: 12, sort: "company" as const, ...(text === "" ? {} : { q: text }) };
      return (await api.GET("/v1/partners/clients", { params: { query }, signal })).data.data;
    },
    enabled,
    placeholderData: (before) => before,
  });
}
