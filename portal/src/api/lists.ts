import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";

export const PAGE_ROWS = 50;
/** 2,000 rows stay in memory. Pages that left on the way are read again when one comes back to them. */
const PAGES_MAX = 40;

export type Page<Row> = { data: Row[]; has_more: boolean; next_cursor: string | null };

/** Where a page begins in the whole list: its cursor, the number of rows before it, and the page before it, by which one comes back. */
type Start = { cursor: string | undefined; first: number; before: Start | null };
const TOP: Start = { cursor: undefined, first: 0, before: null };

/** What `Table` shows: the rows that are in memory, and how to get others. */
export type List<Row> = {
  rows: readonly Row[];
  /** How many rows of the list come before them. */
  first: number;
  loading: boolean;
  error: Error | null;
  more: boolean;
  loadingMore: boolean;
  loadMore(): void;
  loadingEarlier: boolean;
  /** Reads what comes before the rows: the page before them, or if one is far from them the page with a row. */
  loadEarlier(index: number): void;
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
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam.cursor, signal),
    initialPageParam: TOP,
    getNextPageParam: ({ data, next_cursor }, _, start) =>
      next_cursor === null ? undefined : { cursor: next_cursor, first: start.first + data.length, before: start },
    getPreviousPageParam: (_, __, { before }) => before,
    maxPages: PAGES_MAX,
    enabled,
    ...(refresh_ms === undefined ? {} : { refetchInterval: refresh_ms }),
    ...(live === undefined ? {} : { meta: { live } }),
  });
  const leaps = useRef(false);
  /** To a page that is too far away to go there page by page: what is in memory is given up for it. */
  const leapTo = async (wanted: Start) => {
    await queries.cancelQueries({ queryKey: key, exact: true });
    const page = await read(wanted.cursor, new AbortController().signal);
    queries.setQueryData<InfiniteData<Page<Row>, Start>>(key, { pages: [page], pageParams: [wanted] });
  };
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  const start = (query.data?.pageParams[0] as Start | undefined) ?? TOP;
  return {
    rows,
    first: start.first,
    loading: query.isPending,
    error: query.data === undefined ? query.error : null,
    more: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    loadingEarlier: query.isFetchingPreviousPage,
    loadEarlier(index) {
      const wanted = startOf(index, start);
      if (wanted === start || leaps.current) return;
      if (wanted === start.before || wanted === start.before?.before)
        return void query.fetchPreviousPage({ cancelRefetch: false });
      leaps.current = true;
      // If it fails, scrolling on tries it again.
      void leapTo(wanted)
        .catch(() => {})
        .finally(() => {
          leaps.current = false;
        });
    },
    retry: () => void query.refetch(),
  };
}

/** Where the page with a row begins, of those up to a page. */
function startOf(index: number, last: Start): Start {
  let start = last;
  while (start.before !== null && start.first > index) start = start.before;
  return start;
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
