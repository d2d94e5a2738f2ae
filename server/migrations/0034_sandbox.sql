-- Runs of the sandbox.
create table sandbox_runs (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version int not null,
  status text not null,
  request jsonb not null,
  result jsonb not null,
  state jsonb,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  constraint sandbox_runs_pkey primary key (partner_id, id),
  constraint sandbox_runs_status_check check (status in ('passed', 'failed', 'completed', 'error', 'timed_out'))
);
alter table sandbox_runs add constraint sandbox_runs_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create index sandbox_runs_agent on sandbox_runs (partner_id, agent_id, id);
create index sandbox_runs_created on sandbox_runs (created_at);
comment on table sandbox_runs is 'What agents have said and would have done in the sandbox, for 30 days. Nothing of it has happened. [agents/sandbox, tenant]';
