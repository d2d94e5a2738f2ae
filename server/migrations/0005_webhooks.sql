create table webhook_endpoints (
  partner_id             text collate "C" not null references partners (id),
  id                     text collate "C" not null,
  url                    text not null,
  event_types            text[] not null check (cardinality(event_types) > 0),
  client_ids             text[] check (client_ids is null or cardinality(client_ids) > 0),
  description            text,
  enabled                boolean not null default true,
  disabled_reason        text check (disabled_reason in ('requested', 'gone', 'failing')),
  disabled_at            timestamptz(3),
  ordering               text not null default 'none' check (ordering in ('none', 'subject', 'strict')),
  max_in_flight          int not null default 16 check (max_in_flight between 1 and 64),
  rate_limit_per_second  int check (rate_limit_per_second between 1 and 10000),
  timeout_ms             int not null default 15000 check (timeout_ms between 1000 and 30000),
  headers                bytea,
  header_names           text[] not null default '{}',
  metadata               jsonb not null default '{}',
  created_by             text not null,
  created_at             timestamptz(3) not null,
  updated_at             timestamptz(3) not null,
  version                int not null default 1,
  primary key (partner_id, id),
  check (enabled = (disabled_at is null) and enabled = (disabled_reason is null))
);
comment on table webhook_endpoints is 'Where events are sent. No client_ids means all clients and what concerns the whole partner; headers are sealed, but for their names.';

create table webhook_secrets (
  partner_id   text collate "C" not null,
  endpoint_id  text collate "C" not null,
  secret       bytea not null,
  hint         text not null,
  created_at   timestamptz(3) not null,
  expires_at   timestamptz(3),
  primary key (partner_id, endpoint_id, created_at),
  foreign key (partner_id, endpoint_id) references webhook_endpoints (partner_id, id) on delete cascade
);
comment on table webhook_secrets is 'The secrets that an endpoint''s deliveries are signed with, sealed. All but the newest have an end.';

create table webhook_workers (
  id           text collate "C" primary key,
  alive_until  timestamptz(3) not null
);
comment on table webhook_workers is 'The processes that send deliveries, and until when each has said to be alive. What a dead one held goes to the others.';

create table webhook_lanes (
  partner_id       text collate "C" not null,
  endpoint_id      text collate "C" not null,
  owner            text collate "C",
  epoch            int not null default 0,
  state            text not null default 'healthy' check (state in ('healthy', 'degraded')),
  degraded_at      timestamptz(3),
  probe_at         timestamptz(3),
  probes           int not null default 0,
  failing_since    timestamptz(3),
  failures         int not null default 0,
  last_success_at  timestamptz(3),
  last_failure_at  timestamptz(3),
  primary key (partner_id, endpoint_id),
  foreign key (partner_id, endpoint_id) references webhook_endpoints (partner_id, id) on delete cascade
);
comment on table webhook_lanes is 'Which worker alone sends to an endpoint, as long as it lives, and how the endpoint has answered. One row for each endpoint.';
create index webhook_lanes_owner on webhook_lanes (owner) where owner is not null;

create table deliveries (
  partner_id       text collate "C" not null,
  id               text collate "C" not null,
  endpoint_id      text collate "C" not null,
  event_id         text collate "C" not null,
  event_type       text not null,
  replay_id        text collate "C",
  test             boolean not null default false,
  status           text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempts         int not null default 0,
  next_at          timestamptz(3) not null,
  finished_at      timestamptz(3),
  response_status  int,
  error            text,
  primary key (partner_id, id)
) partition by range (id);
comment on table deliveries is 'One event for one endpoint. Pending: to be sent at next_at, or parked while its endpoint is degraded or disabled. A test''s event is in no feed.';
create index deliveries_live on deliveries (partner_id, endpoint_id, next_at, id) where status = 'pending' and replay_id is null;
create index deliveries_replayed on deliveries (partner_id, endpoint_id, next_at, id) where status = 'pending' and replay_id is not null;
create index deliveries_in_order on deliveries (partner_id, endpoint_id, id) where status = 'pending';
create index deliveries_endpoint on deliveries (partner_id, endpoint_id, id);
create index deliveries_replay on deliveries (partner_id, replay_id) where status = 'pending' and replay_id is not null;
create table deliveries_default partition of deliveries default;
select add_partitions('deliveries', 'dlv', '2026-07-01', '2028-12-01');

create table delivery_attempts (
  partner_id   text collate "C" not null,
  delivery_id  text collate "C" not null,
  endpoint_id  text collate "C" not null,
  number       int not null,
  started_at   timestamptz(3) not null,
  duration_ms  int not null,
  status       int,
  error        text,
  response     text,
  primary key (partner_id, delivery_id, number)
) partition by range (delivery_id);
comment on table delivery_attempts is 'How each attempt ended: the status and, of a failure, why and the beginning of the reply.';
create index delivery_attempts_endpoint on delivery_attempts (partner_id, endpoint_id, started_at);
create table delivery_attempts_default partition of delivery_attempts default;
select add_partitions('delivery_attempts', 'dlv', '2026-07-01', '2028-12-01');

create table webhook_replays (
  partner_id   text collate "C" not null,
  id           text collate "C" not null,
  endpoint_id  text collate "C" not null,
  request      jsonb not null,
  cursor       text collate "C",
  total        int not null,
  queued       int not null default 0,
  state        text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  created_by   text not null,
  created_at   timestamptz(3) not null,
  finished_at  timestamptz(3),
  primary key (partner_id, id),
  foreign key (partner_id, endpoint_id) references webhook_endpoints (partner_id, id) on delete cascade
);
comment on table webhook_replays is 'Events sent again on request, and how far that is.';
create index webhook_replays_endpoint on webhook_replays (partner_id, endpoint_id, id);
create unique index webhook_replays_running on webhook_replays (partner_id, endpoint_id) where state = 'running';
