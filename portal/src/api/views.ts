import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { portal } from "./portal.ts";

/** A filter, sort order and tab that somebody gave a name: the query of the page's address. */
export type View = {
  id: string;
  page: string;
  account_id: string | null;
  name: string;
  query: string;
  shared: boolean;
  created_by: string;
  version: number;
};

const key = (page: string) => ["views", page];

/** The saved views of a page. */
export function useViews(page: string) {
  return useQuery({
    queryKey: key(page),
    queryFn: () => portal<{ data: View[] }>("GET", `/views?page=${encodeURIComponent(page)}`),
    select: ({ data }) => data,
    staleTime: 60_000,
  });
}

export function useSaveView(page: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (view: { name: string; query: string; shared: boolean; account_id?: string | null }) =>
      portal<View>("POST", "/views", { page, ...view }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key(page) }),
  });
}

export function useRemoveView(page: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => portal<void>("DELETE", `/views/${id}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: key(page) }),
  });
}
