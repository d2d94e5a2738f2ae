alter table programme
  add column name text not null default 'Partner programme',
  add column default_currency text not null default 'usd',
  add column support_email text,
  add column updated_at timestamptz(3),
  add column version int not null default 1;

alter table partners
  add column suspended_at timestamptz(3),
  add column suspension_reason text;
drop index partners_parent;
create index partners_parent on partners (parent_id, id) where parent_id is not null;
create index partners_status on partners (status, id);
create index partners_grade on partners (grade, id);
create index partners_api_access on partners (api_access, id);
create index partners_company on partners (lower(company) collate "C");

create index keys_operator on keys (id) where partner_id is null;

create table access_requests (
  partner_id    text collate "C" not null references partners (id),
  id            text collate "C" not null,
  status        text not null check (status in ('open', 'granted', 'declined')),
  message       text,
  requested_by  text collate "C" not null,
  decided_by    text collate "C",
  reason        text,
  created_at    timestamptz(3) not null,
  decided_at    timestamptz(3),
  version       int not null default 1,
  primary key (partner_id, id),
  check ((status = 'open') = (decided_at is null))
);
comment on table access_requests is 'Partners that ask for access to the partner API while it is a private beta.';
create unique index access_requests_open on access_requests (partner_id) where status = 'open';
create index access_requests_id on access_requests (id);
create index access_requests_status on access_requests (status, id);

-- The operator reads the log of all partners at once, newest first.
create index audit_entries_id on audit_entries (id);

alter table feed_heads add column trimmed_seq bigint not null default 0;
comment on table feed_heads is 'The last seq given in each partner''s feed, and the last that retention took away. Only sequencers and retention lock it.';

create table job_runs (
  name           text primary key,
  runs           bigint not null default 0,
  failures       bigint not null default 0,
  started_at     timestamptz(3) not null,
  finished_at    timestamptz(3),
  duration_ms    int,
  outcome        text,
  last_error     text,
  last_error_at  timestamptz(3)
);
comment on table job_runs is 'How the last run of each scheduled job went.';
