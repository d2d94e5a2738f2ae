import type { Limit, Verdict } from "./limiter.ts";

const BUCKETS_MAX = 50_000;

export type LocalLimiter = { take(bucket: string, limit: Limit): Verdict };

/**
 * A limiter of this process alone, without any query: for requests that must not write, where a limit is a guard against floods and
 * not a promise. With several processes, each has buckets of its own.
 */
export function createLocalLimiter(now_ms: () => number = () => performance.now()): LocalLimiter {
  const buckets = new Map<string, { tokens: number; at_ms: number }>();
  return {
    take(name: string, { per_minute, burst }: Limit) {
      const now = now_ms();
      const known = buckets.get(name);
      const bucket = known ?? { tokens: burst, at_ms: now };
      if (known === undefined) {
        if (buckets.size >= BUCKETS_MAX) buckets.clear();
        buckets.set(name, bucket);
      }
      const filled = Math.min(burst, bucket.tokens + ((now - bucket.at_ms) * per_minute) / 60_000);
      const admitted = filled >= 1;
      bucket.tokens = admitted ? filled - 1 : filled;
      bucket.at_ms = now;
      return { admitted, remaining: Math.floor(bucket.tokens), wait_ms: admitted ? 0 : ((1 - filled) * 60_000) / per_minute };
    },
  };
}
