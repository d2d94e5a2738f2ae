import type { Queryable } from "../db/statement.ts";
import { type Lease, type LeaseRequest, type Limit, leaseLife_ms, leaseTokens } from "./lease.ts";

export type { Limit };

/** What a request gets: whether it may go on, how many more may follow at once, and when to come back if not. */
export type Verdict = { admitted: boolean; remaining: number; wait_ms: number };

export type Limiter = { take(bucket: string, limit: Limit): Promise<Verdict> | Verdict };

type Held = {
  /** Tokens of the lease that are not used, good until `good_until_ms`. */
  tokens: number;
  lease: Lease;
  good_until_ms: number;
  /** Until then the shared bucket has nothing to give, so it is not asked. */
  empty_until_ms: number;
};

type Taker = { resolve(verdict: Verdict): void; reject(error: unknown): void };
type Waiting = { limit: Limit; takers: Taker[] };

const BUCKETS_MAX = 50_000;

/**
 * Limits without a write per request: a process leases some tokens of the shared bucket and hands them out. A lease is
 * good for a short time, counted from before it was asked for, so that it ends here before the database forgets it.
 */
export function createLimiter(db: Queryable, now_ms: () => number = () => performance.now()): Limiter {
  const held = new Map<string, Held>();
  let waiting = new Map<string, Waiting>();

  function take(bucket: string, limit: Limit): Promise<Verdict> | Verdict {
    const now = now_ms();
    const known = held.get(bucket);
    if (known !== undefined && known.tokens > 0 && now < known.good_until_ms) return handOut(known);
    if (known !== undefined && now < known.empty_until_ms) {
      return { admitted: false, remaining: 0, wait_ms: known.empty_until_ms - now };
    }
    return new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(ask);
      const asked = waiting.get(bucket) ?? { limit, takers: [] };
      asked.takers.push({ resolve, reject });
      waiting.set(bucket, asked);
    });
  }

  /** One query for all that came up dry in this tick. What is left of an old lease is too old to be used. */
  function ask(): void {
    const asked = waiting;
    waiting = new Map();
    const sent_ms = now_ms();
    const requests: LeaseRequest[] = [...asked].map(([bucket, { limit, takers }]) => {
      const { granted = 0, granted_slot = 0 } = held.get(bucket)?.lease ?? {};
      held.delete(bucket);
      return { bucket, limit, needed: takers.length, gone: granted, gone_slot: granted_slot };
    });
    leaseTokens(db, requests).then(
      (leases) => {
        for (const [bucket, one] of asked) settle(bucket, one, leases.get(bucket), sent_ms);
      },
      (error) => {
        for (const { takers } of asked.values()) for (const { reject } of takers) reject(error);
      },
    );
  }

  function settle(bucket: string, { limit, takers }: Waiting, lease: Lease | undefined, sent_ms: number): void {
    if (lease === undefined) throw new Error(`no answer for the bucket ${bucket}`);
    const wait_ms = Math.max(1, (1 - lease.tokens_left) * (60_000 / limit.per_minute));
    const known: Held = {
      tokens: lease.granted,
      lease,
      good_until_ms: sent_ms + leaseLife_ms(limit),
      empty_until_ms: lease.tokens_left >= 1 ? 0 : sent_ms + wait_ms,
    };
    if (held.size >= BUCKETS_MAX) held.clear();
    held.set(bucket, known);
    for (const { resolve } of takers) resolve(known.tokens > 0 ? handOut(known) : { admitted: false, remaining: 0, wait_ms });
  }

  return { take };
}

function handOut(known: Held): Verdict {
  known.tokens -= 1;
  return { admitted: true, remaining: known.tokens + Math.floor(known.lease.tokens_left), wait_ms: 0 };
}
