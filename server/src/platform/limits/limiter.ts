import type { Queryable } from "../db/statement.ts";
import { type Lease, type LeaseRequest, type Limit, leaseLife_ms, leaseTokens } from "./lease.ts";

export type { Limit };

/** Whether a request is admitted, how many more would be now, and when to retry otherwise. */
export type Verdict = { admitted: boolean; remaining: number; wait_ms: number };

export type Limiter = { take(bucket: string, limit: Limit): Promise<Verdict> | Verdict };

type LocalLease = {
  /** Unused tokens of the lease. */
  tokens: number;
  lease: Lease;
  valid_until_ms: number;
  /** Until then the shared bucket is empty, so no lease is requested. */
  empty_until_ms: number;
};

type Taker = { resolve(verdict: Verdict): void; reject(error: unknown): void };
type Requested = { limit: Limit; takers: Taker[] };

const BUCKETS_MAX = 50_000;

/**
 * A rate limiter without a write per request: a process leases tokens of the shared bucket and hands them out. A lease is
 * valid for a short time, counted from before the request, so that it ends here before it ends in the database.
 */
export function createLimiter(db: Queryable, now_ms: () => number = () => performance.now()): Limiter {
  const leases = new Map<string, LocalLease>();
  let waiting = new Map<string, Requested>();

  function take(bucket: string, limit: Limit): Promise<Verdict> | Verdict {
    const now = now_ms();
    const known = leases.get(bucket);
    if (known !== undefined && known.tokens > 0 && now < known.valid_until_ms) return handOut(known);
    if (known !== undefined && now < known.empty_until_ms) {
      return { admitted: false, remaining: 0, wait_ms: known.empty_until_ms - now };
    }
    return new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(requestLeases);
      const requested = waiting.get(bucket) ?? { limit, takers: [] };
      requested.takers.push({ resolve, reject });
      waiting.set(bucket, requested);
    });
  }

  /** One query for all empty buckets of this tick. What is left of an old lease has expired. */
  function requestLeases(): void {
    const requested = waiting;
    waiting = new Map();
    const sent_ms = now_ms();
    const requests: LeaseRequest[] = [...requested].map(([bucket, { limit, takers }]) => {
      const { granted = 0, granted_slot = 0 } = leases.get(bucket)?.lease ?? {};
      leases.delete(bucket);
      return { bucket, limit, needed: takers.length, gone: granted, gone_slot: granted_slot };
    });
    leaseTokens(db, requests).then(
      (granted) => {
        for (const [bucket, one] of requested) settle(bucket, one, granted.get(bucket), sent_ms);
      },
      (error) => {
        for (const { takers } of requested.values()) for (const { reject } of takers) reject(error);
      },
    );
  }

  function settle(bucket: string, { limit, takers }: Requested, lease: Lease | undefined, sent_ms: number): void {
    if (lease === undefined) throw new Error(`no answer for the bucket ${bucket}`);
    const wait_ms = Math.max(1, (1 - lease.tokens_left) * (60_000 / limit.per_minute));
    const known: LocalLease = {
      tokens: lease.granted,
      lease,
      valid_until_ms: sent_ms + leaseLife_ms(limit),
      empty_until_ms: lease.tokens_left >= 1 ? 0 : sent_ms + wait_ms,
    };
    if (leases.size >= BUCKETS_MAX) leases.clear();
    leases.set(bucket, known);
    for (const { resolve } of takers) resolve(known.tokens > 0 ? handOut(known) : { admitted: false, remaining: 0, wait_ms });
  }

  return { take };
}

function handOut(known: LocalLease): Verdict {
  known.tokens -= 1;
  return { admitted: true, remaining: known.tokens + Math.floor(known.lease.tokens_left), wait_ms: 0 };
}
