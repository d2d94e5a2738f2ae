import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { portal } from "./portal.ts";

/** Filters, sort order and tab of a page that somebody gave a name: the query of its address. */
export type View = {
  id: string;
  page: string;
  account_id: string | null;
  name: string;
  query: string;
  shared: boolean;
  /** Null: it came with a snapshot. */
  created_by: string | null;
  version: number;
};

export type SavedViews = {
  /** Undefined until they are loaded. */
  views: readonly View[] | undefined;
  save(view: { name: string; query: string; shared: boolean }): Promise<unknown>;
  remove(id: string): Promise<unknown>;
};

/** The saved views of a page, of the whole partner or of an account: the person's own, and those that others share. */
export function useViews(page: string, account_id: string | null = null): SavedViews {
  const queries = useQueryClient();
  const key = ["views", page, account_id];
  const changed = () => queries.invalidateQueries({ queryKey: key });
  const search = new URLSearchParams({ page, ...(account_id === null ? {} : { account_id }) });
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => (await portal<{ data: View[] }>("GET", `/views?${search}`)).data,
    staleTime: 60_000,
  });
  const save = useMutation({
    mutationFn: (view: { name: string; query: string; shared: boolean }) =>
      portal<View>("POST", "/views", { page, account_id, ...view }),
    onSuccess: changed,
  });
  const remove = useMutation({ mutationFn: (id: string) => portal<void>("DELETE", `/views/${id}`), onSuccess: changed });
  return { views: data, save: save.mutateAsync, remove: remove.mutateAsync };
}
