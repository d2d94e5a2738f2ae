import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { portal } from "../../api/portal.ts";

/** A browser in which this person is signed in. */
export type SignIn = {
  id: string;
  current: boolean;
  agent: string;
  ip: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
};

const KEY = ["sessions"];

export function useSignIns() {
  return useQuery({
    queryKey: KEY,
    queryFn: () => portal<{ data: SignIn[] }>("GET", "/sessions"),
    select: ({ data }) => data,
  });
}

/** Ends one session, or all others. */
export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string | "others") => portal<void>("DELETE", id === "others" ? "/sessions" : `/sessions/${id}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRename() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => portal<unknown>("PATCH", "/session/user", { name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["users"] }),
  });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { current_password: string; password: string }) => portal<void>("PUT", "/password", body),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export type TotpSecret = { secret: string; uri: string };

export const useStartTotp = () => useMutation({ mutationFn: () => portal<TotpSecret>("POST", "/totp") });

export function useConfirmTotp() {
  return useMutation({
    mutationFn: async (code: string) =>
      (await portal<{ recovery_codes: string[] }>("POST", "/totp/confirm", { code })).recovery_codes,
  });
}

export const useRemoveTotp = () => useMutation({ mutationFn: () => portal<void>("DELETE", "/totp") });

export function useNewCodes() {
  return useMutation({
    mutationFn: async () => (await portal<{ recovery_codes: string[] }>("POST", "/totp/recovery-codes")).recovery_codes,
  });
}
