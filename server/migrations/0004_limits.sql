alter table partners
  add column rate_limit_per_minute  int not null default 600 check (rate_limit_per_minute between 1 and 10000000),
  add column rate_limit_burst       int not null default 100 check (rate_limit_burst between 1 and 1000000);

-- Not logged: what a crash forgets only forgives.
create unlogged table rate_buckets (
  bucket         text collate "C" primary key,
  tokens         double precision not null,
  refilled_at    timestamptz not null,
  slot           bigint not null,
  leased_now     double precision not null,
  leased_before  double precision not null
);
comment on table rate_buckets is 'What is left of each rate limit, and what processes have leased of it in this slot of time and the one before.';
create index rate_buckets_age on rate_buckets (refilled_at);

-- Leases tokens of a bucket to a process: what it needs now, and a sixteenth of the rest, so fewer as the bucket runs low.
-- Tokens leased in this slot of time or the one before count as held until the process says that they are gone, and the
-- bucket fills only up to what is left beside them. So tokens that a process still holds never come on top of a full
-- bucket: in any stretch of time no more than the burst and what flowed in meanwhile is admitted, whatever the number of
-- processes. A process uses a lease no longer than a slot lasts, and says in which slot the tokens were leased.
create function lease_tokens(for_bucket text, per_second double precision, burst double precision, needed double precision,
  slot_seconds double precision, gone double precision, gone_slot bigint,
  out granted double precision, out tokens_left double precision, out granted_slot bigint)
  language plpgsql as $$
declare
  held rate_buckets;
  now_at timestamptz;
  in_slot double precision;
  in_slot_before double precision;
begin
  insert into rate_buckets values (for_bucket, burst, clock_timestamp(), 0, 0, 0) on conflict (bucket) do nothing;
  select * into held from rate_buckets b where b.bucket = for_bucket for update;
  -- Read after the lock, so that time never runs backwards between two processes.
  now_at := clock_timestamp();
  granted_slot := floor(extract(epoch from now_at) / slot_seconds);
  in_slot := case when granted_slot = held.slot then held.leased_now else 0 end;
  in_slot_before := case granted_slot - held.slot when 0 then held.leased_before when 1 then held.leased_now else 0 end;
  if gone_slot = granted_slot then in_slot := greatest(0, in_slot - gone); end if;
  if gone_slot = granted_slot - 1 then in_slot_before := greatest(0, in_slot_before - gone); end if;
  tokens_left := least(
    held.tokens + per_second * extract(epoch from now_at - held.refilled_at),
    greatest(burst - in_slot - in_slot_before, held.tokens));
  granted := floor(least(tokens_left, greatest(needed, tokens_left / 16)));
  tokens_left := tokens_left - granted;
  update rate_buckets b set tokens = tokens_left, refilled_at = now_at, slot = granted_slot,
    leased_now = in_slot + granted, leased_before = in_slot_before
  where b.bucket = for_bucket;
end $$;
