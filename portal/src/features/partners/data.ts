import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, type components } from "@tributary/sdk";
import { BASE } from "../../api/base.ts";
import { api, ifMatch } from "../../api/client.ts";
import { portal } from "../../api/portal.ts";

type Schemas = components["schemas"];
export type Account = Schemas["Account"];
export type Access = Schemas["ApiAccess"];

const PATH = "/v1/partners/account";

export function useAccountOfPartner() {
  return useQuery({
    queryKey: ["account"],
    queryFn: async ({ signal }) => (await api.GET(PATH, { signal })).data,
  });
}

export function useUpdateAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ version, body }: { version: number; body: Schemas["AccountPatch"] }) =>
      (await api.PATCH(PATH, { body, params: { header: ifMatch(version) } })).data,
    onSuccess: (account) => queries.setQueryData(["account"], account),
  });
}

/** Whether programs may call the API for this partner, and its latest request for that. */
export function useAccess(enabled: boolean) {
  return useQuery({
    queryKey: ["access-request"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/access-request", { signal })).data,
    enabled,
  });
}

export function useRequestAccess() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (message: string) =>
      (await api.POST("/v1/partners/access-request", { body: message.trim() === "" ? {} : { message: message.trim() } })).data,
    onSuccess: (access) => queries.setQueryData(["access-request"], access),
  });
}

/** Why a logo is not shown, asked once the browser could not show it. */
export function useLogoFault(src: string | null, failed: boolean) {
  const { error } = useQuery({
    queryKey: ["logo", src],
    queryFn: () => portal<void>("GET", (src ?? "").slice(BASE.length)),
    enabled: src !== null && failed,
    retry: false,
  });
  return error instanceof ApiError ? error.problem.detail : error?.message;
}
