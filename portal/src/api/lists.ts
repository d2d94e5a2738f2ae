import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

export const PAGE_ROWS = 50;
/** 2,000 rows stay in memory; the first pages leave when one scrolls on. */
const PAGES_MAX = 40;

export type Page<Row> = { data: Row[]; has_more: boolean; next_cursor: string | null };

/** What `Table` shows: rows as far as they are loaded, and how to get more. */
export type List<Row> = {
  rows: readonly Row[];
  loading: boolean;
  error: Error | null;
  more: boolean;
  loadingMore: boolean;
  loadMore(): void;
  retry(): void;
};

/** A list of the API, page by page. `read` gets the cursor of the page, undefined for the first. */
export function useList<Row>(
  key: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  enabled = true,
  /** How often what is shown is read again, where no hint tells of a change. */
  refresh_ms?: number,
  /** Resources, besides the first part of the key, whose changes concern the list. */
  live?: readonly string[],
): List<Row> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    getPreviousPageParam: () => undefined,
    maxPages: PAGES_MAX,
    enabled,
    ...(refresh_ms === undefined ? {} : { refetchInterval: refresh_ms }),
    ...(live === undefined ? {} : { meta: { live } }),
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  return {
    rows,
    loading: query.isPending,
    error: query.data === undefined ? query.error : null,
    more: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void query.refetch(),
  };
}

/** Query parameters of an address: nothing for what is empty, one entry per item of a list. */
export function queryText(parameters: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== "") search.append(name, String(item));
    }
  }
  return search.size === 0 ? "" : `?${search}`;
}
