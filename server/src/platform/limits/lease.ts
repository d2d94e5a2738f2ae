import { type Queryable, statement } from "../db/statement.ts";

/** A token bucket: its rate and its capacity. */
export type Limit = { per_minute: number; burst: number };

/** Leased tokens, the time slot of the lease by the database's clock, and the rest of the shared bucket. */
export type Lease = { granted: number; granted_slot: number; tokens_left: number };

/** `gone` tokens of the previous lease are used up. */
export type LeaseRequest = { bucket: string; limit: Limit; needed: number; gone: number; gone_slot: number };

/** Buckets are locked in the order of their names, which avoids deadlocks. */
const leaseStatement = statement(`
  select w.bucket, l.granted, l.granted_slot, l.tokens_left
  from (
    select * from unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::bigint[])
      as w (bucket, per_second, burst, needed, slot_seconds, gone, gone_slot)
    order by bucket
  ) w, lease_tokens(w.bucket, w.per_second, w.burst, w.needed, w.slot_seconds, w.gone, w.gone_slot) l`);

/** How long leased tokens are valid: short compared to the time that refills the bucket, at most a second. */
export function leaseLife_ms({ per_minute, burst }: Limit): number {
  return Math.max(50, Math.min(1_000, (burst / per_minute) * 15_000));
}

export async function leaseTokens(db: Queryable, requests: LeaseRequest[]): Promise<Map<string, Lease>> {
  const rows = await db.query<Lease & { bucket: string }>(leaseStatement, [
    requests.map(({ bucket }) => bucket),
    requests.map(({ limit }) => limit.per_minute / 60),
    requests.map(({ limit }) => limit.burst),
    requests.map(({ needed }) => needed),
    requests.map(({ limit }) => leaseLife_ms(limit) / 1_000),
    requests.map(({ gone }) => gone),
    requests.map(({ gone_slot }) => gone_slot),
  ]);
  return new Map(rows.map(({ bucket, ...lease }) => [bucket, lease]));
}
