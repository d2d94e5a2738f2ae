-- Tests of agents, their runs, and what people think of sessions.
create table agent_tests (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  name text not null,
  request jsonb not null,
  session_id text collate "C",
  person_ids text[] collate "C" not null default '{}',
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint agent_tests_pkey primary key (partner_id, id)
);
alter table agent_tests add constraint agent_tests_partner_id_agent_id_fkey foreign key (partner_id, agent_id) references agents (partner_id, id);
create unique index agent_tests_name on agent_tests (partner_id, agent_id, lower(name));
create index agent_tests_agent on agent_tests (partner_id, agent_id, id);
create index agent_tests_people on agent_tests using gin (partner_id, person_ids) where person_ids <> '{}';
comment on table agent_tests is 'Conversations of the sandbox that an agent has to pass. [agents/suites, tenant]';

create table agent_test_runs (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version int not null,
  compare_to int,
  sha256 text collate "C" not null,
  status text not null default 'queued',
  tests jsonb not null,
  results jsonb not null default '[]',
  total int not null,
  passed int not null default 0,
  failed int not null default 0,
  error text,
  claimed_by text collate "C",
  claimed_until timestamptz(3),
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  constraint agent_test_runs_pkey primary key (partner_id, id),
  constraint agent_test_runs_status_check check (status in ('queued', 'running', 'passed', 'failed')),
  constraint agent_test_runs_finished_check check ((status in ('passed', 'failed')) = (finished_at is not null))
);
alter table agent_test_runs add constraint agent_test_runs_partner_id_agent_id_fkey foreign key (partner_id, agent_id) references agents (partner_id, id);
create index agent_test_runs_agent on agent_test_runs (partner_id, agent_id, id);
create index agent_test_runs_open on agent_test_runs (created_at) where status in ('queued', 'running');
create index agent_test_runs_created on agent_test_runs (created_at);
comment on table agent_test_runs is 'Runs of all tests of an agent on a version, with a result for each, for 90 days. [agents/suites, tenant]';

alter table agent_sessions add column feedback jsonb;

alter table sandbox_runs drop constraint sandbox_runs_status_check;
alter table sandbox_runs add constraint sandbox_runs_status_check check (status in ('running', 'passed', 'failed', 'completed', 'error', 'timed_out'));
create index sandbox_runs_running on sandbox_runs (created_at) where status = 'running';
