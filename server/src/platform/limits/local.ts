import type { Limit, Limiter } from "./limiter.ts";

const BUCKETS_MAX = 50_000;

/**
 * A limiter of this process alone, without any query: for requests that must not write, where a limit is a guard against floods and
 * not a promise. With several processes, each has buckets of its own.
 */
export function createLocalLimiter(now_ms: () => number = () => performance.now()): Limiter {
  const buckets = new Map<string, { tokens: number; at_ms: number }>();
  return {
    take(name: string, { per_minute, burst }: Limit) {
      const now = now_ms();
      const { tokens, at_ms } = buckets.get(name) ?? { tokens: burst, at_ms: now };
      const filled = Math.min(burst, tokens + ((now - at_ms) * per_minute) / 60_000);
      const admitted = filled >= 1;
      if (buckets.size >= BUCKETS_MAX) buckets.clear();
      buckets.set(name, { tokens: admitted ? filled - 1 : filled, at_ms: now });
      const wait_ms = admitted ? 0 : ((1 - filled) * 60_000) / per_minute;
      return { admitted, remaining: Math.max(0, Math.floor(admitted ? filled - 1 : filled)), wait_ms };
    },
  };
}
