import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { BASE } from "./base.ts";

/** How often what a stream tells of is asked for, in case that the stream is lost. */
export const STREAM_LOST_MS = 5_000;

/** Follows what goes on in the background: each change that its stream tells becomes the data of a query, until it has ended. */
export function useFollow(queryKey: QueryKey, path: string, follows: boolean, ended?: () => void): void {
  const queries = useQueryClient();
  const take = useEffectEvent(({ data }: MessageEvent<string>) => queries.setQueryData(queryKey, JSON.parse(data)));
  const end = useEffectEvent(() => ended?.());
  useEffect(() => {
    if (!follows) return;
    const source = new EventSource(`${BASE}${path}`);
    source.addEventListener("progress", (event) => take(event));
    source.addEventListener("ended", (event) => {
      source.close();
      take(event);
      end();
    });
    return () => source.close();
  }, [follows, path]);
}
