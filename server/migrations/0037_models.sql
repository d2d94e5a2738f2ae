-- Models of agents, and what somebody has to approve.
alter table agent_versions add column secrets bytea;

alter table agent_sessions add column usage jsonb not null default '{"requests": 0, "input_tokens": 0, "output_tokens": 0}';

alter table agent_turns add column approval_id text collate "C";
alter table agent_turns add column spoke text;
alter table agent_turns add column usage jsonb not null default '{"requests": 0, "input_tokens": 0, "output_tokens": 0}';
alter table agent_turns add column failures jsonb not null default '[]';
alter table agent_turns drop constraint agent_turns_state_check;
alter table agent_turns add constraint agent_turns_state_check check (state in ('queued', 'approved', 'running', 'done', 'superseded', 'failed'));
alter table agent_turns add constraint agent_turns_spoke_check check (spoke in ('playbook', 'model'));
create unique index agent_turns_approval on agent_turns (partner_id, approval_id) where approval_id is not null;
create index agent_turns_approved on agent_turns (run_at) where state = 'approved';

create table tool_approvals (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version int not null,
  conversation_id text collate "C" not null,
  session_id text collate "C" not null,
  turn_id text collate "C" not null,
  tool text not null,
  args jsonb not null,
  record_id text collate "C",
  record_version int,
  status text not null default 'pending',
  note text,
  decided_by text collate "C",
  decided_at timestamptz(3),
  result jsonb,
  executed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  version int not null default 1,
  constraint tool_approvals_pkey primary key (partner_id, id),
  constraint tool_approvals_status_check check (status in ('pending', 'approved', 'rejected', 'expired')),
  constraint tool_approvals_decided_check check ((status in ('approved', 'rejected')) = (decided_at is not null)),
  constraint tool_approvals_executed_check check (executed_at is null or status = 'approved')
);
alter table tool_approvals add constraint tool_approvals_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
alter table tool_approvals add constraint tool_approvals_partner_id_conversation_id_fkey foreign key (partner_id, conversation_id) references conversations (partner_id, id);
create index tool_approvals_account on tool_approvals (partner_id, account_id, id);
create index tool_approvals_conversation on tool_approvals (partner_id, conversation_id);
create index tool_approvals_pending on tool_approvals (expires_at) where status = 'pending';
comment on table tool_approvals is 'Uses of tools that somebody has to approve, with the record that they are about and its version then. [agents/sessions, tenant]';
