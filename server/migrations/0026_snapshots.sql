-- Snapshots: configuration of accounts, in versions that never change.
create table snapshots (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  owner_partner_id text collate "C" not null,
  name text not null,
  description text,
  status text not null,
  visibility text not null default 'private',
  price_cents bigint not null default 0,
  currency text collate "C" not null,
  latest_version int not null default 0,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint snapshots_pkey primary key (partner_id, id),
  constraint snapshots_status_check check (status in ('draft', 'published', 'deprecated', 'archived')),
  constraint snapshots_visibility_check check (visibility in ('private', 'unlisted', 'marketplace')),
  constraint snapshots_price_cents_check check (price_cents >= 0)
);
alter table snapshots add constraint snapshots_partner_id_fkey foreign key (partner_id) references partners (id);
create unique index snapshots_name on snapshots (partner_id, lower(name)) where owner_partner_id = partner_id and status <> 'archived';
comment on table snapshots is 'The snapshots that a partner has: its own, and those that it bought, under the same id. [snapshots/catalogue, tenant]';

create table snapshot_contents (
  partner_id text collate "C" not null,
  sha256 text collate "C" not null,
  manifest text not null,
  constraint snapshot_contents_pkey primary key (partner_id, sha256)
);
comment on table snapshot_contents is 'append-only: canonical manifests by the hash of their bytes. [snapshots/catalogue, tenant]';

create table snapshot_versions (
  partner_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  version int not null,
  sha256 text collate "C" not null,
  changelog text,
  asset_counts jsonb not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  constraint snapshot_versions_pkey primary key (partner_id, snapshot_id, version)
);
alter table snapshot_versions add constraint snapshot_versions_partner_id_snapshot_id_fkey foreign key (partner_id, snapshot_id) references snapshots (partner_id, id);
alter table snapshot_versions add constraint snapshot_versions_partner_id_sha256_fkey foreign key (partner_id, sha256) references snapshot_contents (partner_id, sha256);
comment on table snapshot_versions is 'append-only: the versions of snapshots. [snapshots/catalogue, tenant]';

create table snapshot_sources (
  partner_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  account_id text collate "C" not null,
  type text collate "C" not null,
  key text collate "C" not null,
  record_id text collate "C" not null,
  constraint snapshot_sources_pkey primary key (partner_id, snapshot_id, account_id, type, key)
);
alter table snapshot_sources add constraint snapshot_sources_partner_id_snapshot_id_fkey foreign key (partner_id, snapshot_id) references snapshots (partner_id, id);
comment on table snapshot_sources is 'The record that each asset was captured from, so that a later capture gives it the same key. Parts have the keys asset/part. [snapshots/catalogue, tenant]';

-- What runs where.
create table snapshot_installs (
  partner_id text collate "C" not null,
  client_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  version int,
  deployment_id text collate "C",
  assets jsonb not null,
  updated_at timestamptz(3) not null,
  constraint snapshot_installs_pkey primary key (partner_id, client_id, snapshot_id)
);
alter table snapshot_installs add constraint snapshot_installs_partner_id_client_id_fkey foreign key (partner_id, client_id) references clients (partner_id, id);
alter table snapshot_installs add constraint snapshot_installs_partner_id_snapshot_id_fkey foreign key (partner_id, snapshot_id) references snapshots (partner_id, id);
create index snapshot_installs_version on snapshot_installs (partner_id, snapshot_id, version, client_id);
comment on table snapshot_installs is 'The version of a snapshot that an account runs, and the record of each of its assets. No version: it was rolled back. [snapshots/deployments, tenant]';

create table snapshot_plans (
  partner_id text collate "C" not null,
  hash text collate "C" not null,
  plan text not null,
  used_at timestamptz(3) not null,
  constraint snapshot_plans_pkey primary key (partner_id, hash)
);
create index snapshot_plans_used_at on snapshot_plans (partner_id, used_at);
comment on table snapshot_plans is 'The plans of deployments, with what was before and after. Kept for 30 days after their last use. [snapshots/deployments, tenant]';

create table rollouts (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  snapshot_id text collate "C" not null,
  snapshot_version int not null,
  target jsonb not null,
  policy text not null,
  dry_run boolean not null,
  plan_of text collate "C",
  canary jsonb,
  canary_members int not null,
  max_failure_percent int not null,
  status text not null,
  status_reason text,
  total int not null,
  counts jsonb not null,
  canary_counts jsonb not null,
  plans jsonb,
  worked_for text collate "C" not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  finished_at timestamptz(3),
  rolled_back_at timestamptz(3),
  version int not null default 1,
  constraint rollouts_pkey primary key (partner_id, id),
  constraint rollouts_policy_check check (policy in ('merge', 'skip', 'overwrite', 'fail')),
  constraint rollouts_status_check check (status in ('queued', 'canary', 'running', 'paused', 'halted', 'completed', 'completed_with_errors', 'cancelled', 'rolling_back', 'rolled_back'))
);
alter table rollouts add constraint rollouts_partner_id_snapshot_id_fkey foreign key (partner_id, snapshot_id) references snapshots (partner_id, id);
create index rollouts_snapshot on rollouts (partner_id, snapshot_id, id);
create index rollouts_active on rollouts (partner_id, id) where status in ('queued', 'canary', 'running', 'rolling_back');
comment on table rollouts is 'Deployments of a snapshot to many accounts, worked off in batches. [snapshots/rollouts, tenant]';

create table deployments (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  client_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  snapshot_version int not null,
  previous_version int,
  rollout_id text collate "C",
  canary boolean not null default false,
  policy text not null,
  status text not null,
  plan_hash text collate "C",
  changed jsonb,
  previous jsonb,
  conflicts jsonb,
  failure jsonb,
  attempts int not null default 0,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  version int not null default 1,
  constraint deployments_pkey primary key (partner_id, id),
  constraint deployments_policy_check check (policy in ('merge', 'skip', 'overwrite', 'fail')),
  constraint deployments_status_check check (status in ('queued', 'succeeded', 'partial', 'unchanged', 'skipped', 'failed', 'cancelled', 'planned', 'rolled_back'))
);
alter table deployments add constraint deployments_partner_id_client_id_fkey foreign key (partner_id, client_id) references clients (partner_id, id);
alter table deployments add constraint deployments_partner_id_snapshot_id_fkey foreign key (partner_id, snapshot_id) references snapshots (partner_id, id);
create index deployments_client on deployments (partner_id, client_id, id);
create index deployments_rollout on deployments (partner_id, rollout_id, id) where rollout_id is not null;
create index deployments_queued on deployments (partner_id, rollout_id, canary desc, id) where status = 'queued' and rollout_id is not null;
create index deployments_waiting on deployments (partner_id, id) where status = 'queued' and rollout_id is null;
create index deployments_revertible on deployments (partner_id, rollout_id, id) where status in ('succeeded', 'partial') and rollout_id is not null;
comment on table deployments is 'A version of a snapshot on its way to an account, or applied to it. `changed` has the ids of what it changed, `previous` the install before. [snapshots/deployments, tenant]';

-- What an account runs, for its own representation and for filters.
alter table clients add column snapshots jsonb not null default '[]';
comment on column clients.snapshots is 'The snapshots of the account: snapshot_id, version, status.';

-- Defaults were stored before there were snapshots: none of them can exist.
update partners set default_snapshots = '{}' where default_snapshots <> '{}';

-- A pipeline that a deployment made is deleted when that is rolled back: what refers to it and to its stages is found by an index, deleted
-- deals included.
drop index deals_pipeline;
create index deals_pipeline on deals (partner_id, pipeline_id, id);
drop index deals_stage;
create index deals_stage on deals (partner_id, stage_id, id);
create index stages_pipeline on stages (partner_id, pipeline_id);
