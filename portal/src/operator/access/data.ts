import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

export type AccessRequest = components["schemas"]["AccessRequest"];
type Status = AccessRequest["status"];

const PATH = "/v1/admin/access-requests";
const key = ["access-requests"];

export const listRequest = (status: Status | undefined) => `GET ${PATH}${queryText({ status, limit: PAGE_ROWS })}`;

export function useAccessRequests(status: Status | undefined) {
  return useList<AccessRequest>([...key, status], async (cursor, signal) => {
    const query = { ...(status ? { status: [status] } : {}), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useDecideAccess() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, as, reason }: { id: string; as: "grant" | "decline"; reason: string }) => {
      const init = { params: { path: { id } }, body: reason ? { reason } : {} };
      return as === "grant"
        ? (await api.POST(`${PATH}/{id}/grant`, init)).data
        : (await api.POST(`${PATH}/{id}/decline`, init)).data;
    },
    async onSuccess() {
      for (const queryKey of [key, ["partners"], ["operator"]]) await queries.invalidateQueries({ queryKey });
    },
  });
}
