-- Agents.
create table agents (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  description text,
  status text not null default 'draft',
  mode text not null,
  limits jsonb not null,
  latest_version int not null,
  published_version int,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint agents_pkey primary key (partner_id, id),
  constraint agents_status_check check (status in ('draft', 'active', 'paused', 'archived')),
  constraint agents_mode_check check (mode in ('off', 'suggest', 'autopilot')),
  constraint agents_published_check check (status not in ('active', 'paused') or published_version is not null)
);
alter table agents add constraint agents_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create unique index agents_name on agents (partner_id, account_id, lower(name)) where status <> 'archived';
create index agents_account on agents (partner_id, account_id, id);
comment on table agents is 'Agents that answer on channels of an account. [agents/definitions, tenant]';

create table agent_versions (
  partner_id text collate "C" not null,
  agent_id text collate "C" not null,
  number int not null,
  content jsonb not null,
  sha256 text collate "C" not null,
  note text,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  published_by text collate "C",
  published_at timestamptz(3),
  constraint agent_versions_pkey primary key (partner_id, agent_id, number)
);
alter table agent_versions add constraint agent_versions_partner_id_agent_id_fkey foreign key (partner_id, agent_id) references agents (partner_id, id);
comment on table agent_versions is 'What agents say and do. The content of a version never changes once it has been published. [agents/definitions, tenant]';
