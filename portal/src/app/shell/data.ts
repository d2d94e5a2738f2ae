import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

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
