-- The smallest id of a prefix at an instant: the bound between two partitions. Mirrors kernel/ids.ts.
create function first_id_at(prefix text, at timestamptz) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  -- 48 bits of milliseconds and two zero bits before them: ten groups of five.
  ms bigint := floor(extract(epoch from at) * 1000);
  body text := '';
begin
  for shift in reverse 45..0 by 5 loop
    body := body || substr('0123456789abcdefghjkmnpqrstvwxyz', (((ms >> shift) & 31) + 1)::int, 1);
  end loop;
  return prefix || '_' || rpad(body, 26, '0');
end $$;

-- A time as the API writes it: RFC 3339 in UTC, always three decimals.
create function wire_time(at timestamptz) returns text
  language sql stable strict parallel safe
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Monthly partitions by range of id from one month to another. Ids are time-ordered, so a month is a range.
create function add_partitions(parent text, prefix text, first_month date, last_month date) returns void
  language plpgsql as $$
declare
  month date := first_month;
begin
  while month <= last_month loop
    execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
      parent || to_char(month, '_YYYY_MM'), parent,
      first_id_at(prefix, month::timestamp at time zone 'UTC'),
      first_id_at(prefix, (month + interval '1 month') at time zone 'UTC'));
    month := month + interval '1 month';
  end loop;
end $$;

create table programme (
  only_row      boolean primary key default true check (only_row),
  first_run_at  timestamptz(3) not null
);
comment on table programme is 'The programme that this installation runs: one row, made by the first run.';

create table partners (
  id          text collate "C" primary key,
  parent_id   text collate "C" references partners (id),
  company     text not null,
  grade       text not null default 'registered',
  status      text not null default 'active' check (status in ('active', 'suspended')),
  api_access  boolean not null default false,
  branding    jsonb not null default '{}',
  currency    text not null default 'usd',
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  version     int not null default 1
);
comment on table partners is 'Who sells: the tenants. A reference table.';
create index partners_parent on partners (parent_id) where parent_id is not null;

create table users (
  id             text collate "C" primary key,
  partner_id     text collate "C" references partners (id),
  email          text not null,
  name           text not null,
  role           text not null check (role in ('owner', 'admin', 'member', 'read_only', 'operator')),
  password_hash  text,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  version        int not null default 1,
  check ((role = 'operator') = (partner_id is null))
);
comment on table users is 'People who sign in: a partner''s team, or the operator''s (no partner). A reference table.';
create unique index users_email on users (lower(email));
create index users_partner on users (partner_id, id);

create table keys (
  id          text collate "C" primary key,
  partner_id  text collate "C" references partners (id),
  name        text not null,
  hash        bytea not null,
  hint        text not null,
  scopes      text[] not null,
  clients     text[] check (clients is null or cardinality(clients) > 0),
  created_by  text not null,
  created_at  timestamptz(3) not null,
  revoked_at  timestamptz(3),
  version     int not null default 1
);
comment on table keys is 'API keys: a partner''s, or the operator''s (no partner). No clients means all of them. A reference table.';
create unique index keys_hash on keys (hash);
create index keys_partner on keys (partner_id, id);

create table clients (
  partner_id         text collate "C" not null references partners (id),
  id                 text collate "C" not null,
  house              boolean not null default false,
  company            text not null,
  external_id        text,
  contact            jsonb,
  plan               text,
  mrr_cents          bigint not null default 0 check (mrr_cents between 0 and 9007199254740991),
  currency           text not null,
  status             text not null check (status in ('pending', 'active', 'suspended', 'churned')),
  status_reason      text,
  status_changed_at  timestamptz(3) not null,
  branding           jsonb,
  metadata           jsonb not null default '{}',
  activated_at       timestamptz(3),
  suspended_at       timestamptz(3),
  churned_at         timestamptz(3),
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  version            int not null default 1,
  primary key (partner_id, id),
  check (not house or status = 'active')
);
comment on table clients is 'Client accounts, and each partner''s own house account.';
create unique index clients_external_id on clients (partner_id, external_id) where external_id is not null;
create unique index clients_house on clients (partner_id) where house;
create index clients_status on clients (partner_id, status, id);

create table events (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  body        bytea not null,
  primary key (partner_id, id)
) partition by range (id);
comment on table events is 'append-only: every event as the bytes that are signed and sent.';
create table events_default partition of events default;
select add_partitions('events', 'evt', '2026-07-01', '2028-12-01');

create table event_feed (
  partner_id       text collate "C" not null,
  event_id         text collate "C" not null,
  type             text not null,
  client_id        text collate "C",
  subject          text collate "C" not null,
  subject_version  int not null,
  transaction_id   text collate "C" not null,
  ordinal          int not null,
  seq              bigint,
  primary key (partner_id, event_id)
);
comment on table event_feed is 'Where each event stands in its partner''s feed. No seq: committed, not yet placed by the sequencer.';
create unique index event_feed_seq on event_feed (partner_id, seq) where seq is not null;
create index event_feed_client on event_feed (partner_id, client_id, seq) where seq is not null;
create index event_feed_type on event_feed (partner_id, type, seq) where seq is not null;
create index event_feed_waiting on event_feed (partner_id, subject, subject_version) where seq is null;
create index event_feed_waiting_transaction on event_feed (partner_id, transaction_id) where seq is null;

create table feed_heads (
  partner_id  text collate "C" primary key,
  seq         bigint not null default 0
);
comment on table feed_heads is 'The last seq given in each partner''s feed. Only sequencers lock it.';

create table audit_entries (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  action      text not null,
  actor_id    text collate "C" not null,
  client_id   text collate "C",
  outcome     text not null check (outcome in ('success', 'denied')),
  ip          inet,
  body        bytea not null,
  leaf_hash   bytea not null,
  primary key (partner_id, id)
) partition by range (id);
comment on table audit_entries is 'append-only: who did what, as final bytes with the hash that a Merkle tree takes. The address is outside the bytes so that it can be erased.';
create index audit_entries_action on audit_entries (partner_id, action, id);
create index audit_entries_actor on audit_entries (partner_id, actor_id, id);
create index audit_entries_client on audit_entries (partner_id, client_id, id) where client_id is not null;
create table audit_entries_default partition of audit_entries default;
select add_partitions('audit_entries', 'aud', '2026-07-01', '2028-12-01');

create table idempotency_replies (
  partner_id   text collate "C" not null,
  actor_id     text collate "C" not null,
  key          text collate "C" not null,
  fingerprint  bytea not null,
  status       int not null,
  headers      jsonb not null,
  body         bytea,
  sealed       boolean not null,
  created_at   timestamptz(3) not null,
  primary key (partner_id, actor_id, key)
);
comment on table idempotency_replies is 'The reply of each POST that carried an Idempotency-Key, stored with its effect.';
create index idempotency_replies_age on idempotency_replies (created_at);
