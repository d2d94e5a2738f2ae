import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** Values of an address; undefined or "" takes one away. */
export type UrlChange = Record<string, string | undefined>;

/**
 * The state of a page is its address: filters, sort order, tab, open panel. Changes replace the entry of the history, except those
 * that open something, which the back button should close.
 */
export function useUrl(): [Readonly<Record<string, string | undefined>>, (change: UrlChange, push?: boolean) => void] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const change = useCallback(
    (values: UrlChange, push = false) =>
      void navigate({
        to: ".",
        search: ((before: UrlChange) =>
          Object.fromEntries(Object.entries({ ...before, ...values }).filter(([, value]) => value))) as never,
        replace: !push,
      }),
    [navigate],
  );
  return [search, change];
}
