-- Sessions of agents, and their turns.
create table agent_sessions (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version int not null,
  conversation_id text collate "C" not null,
  channel_kind text not null,
  status text not null,
  outcome jsonb,
  memory jsonb not null,
  turns int not null default 0,
  last_ordinal int not null,
  started_at timestamptz(3) not null,
  last_turn_at timestamptz(3) not null,
  ended_at timestamptz(3),
  version int not null default 1,
  constraint agent_sessions_pkey primary key (partner_id, id),
  constraint agent_sessions_status_check check (status in ('active', 'waiting', 'handed_off', 'completed', 'expired', 'failed')),
  constraint agent_sessions_ended_check check ((status in ('active', 'waiting')) = (ended_at is null))
);
alter table agent_sessions add constraint agent_sessions_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
alter table agent_sessions add constraint agent_sessions_partner_id_conversation_id_fkey foreign key (partner_id, conversation_id) references conversations (partner_id, id);
create unique index agent_sessions_open on agent_sessions (partner_id, conversation_id) where status in ('active', 'waiting');
create index agent_sessions_agent on agent_sessions (partner_id, agent_id, id);
create index agent_sessions_conversation on agent_sessions (partner_id, conversation_id, id);
create index agent_sessions_idle on agent_sessions (last_turn_at) where status in ('active', 'waiting');
comment on table agent_sessions is 'What an agent remembers of a conversation, from its first answer to a hand-off or an end. [agents/sessions, tenant]';

create table agent_turns (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  conversation_id text collate "C" not null,
  session_id text collate "C",
  state text not null default 'queued',
  follow_up text,
  run_at timestamptz(3) not null,
  token bigint,
  upto_ordinal int,
  claimed_by text collate "C",
  claimed_until timestamptz(3),
  attempts int not null default 0,
  journal jsonb not null default '[]',
  said jsonb not null default '[]',
  visited jsonb not null default '[]',
  calls jsonb not null default '[]',
  hits jsonb not null default '[]',
  latency_ms int,
  error text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  constraint agent_turns_pkey primary key (partner_id, id),
  constraint agent_turns_state_check check (state in ('queued', 'running', 'done', 'superseded', 'failed')),
  constraint agent_turns_claim_check check ((state = 'running') = (claimed_until is not null))
);
alter table agent_turns add constraint agent_turns_partner_id_conversation_id_fkey foreign key (partner_id, conversation_id) references conversations (partner_id, id);
create unique index agent_turns_queued on agent_turns (partner_id, conversation_id) where state = 'queued';
create unique index agent_turns_running on agent_turns (partner_id, conversation_id) where state = 'running';
create index agent_turns_due on agent_turns (run_at) where state = 'queued';
create index agent_turns_claimed on agent_turns (claimed_until) where state = 'running';
create index agent_turns_session on agent_turns (partner_id, session_id, id) where session_id is not null;
comment on table agent_turns is 'What agents do on messages: at most one turn of a conversation waits and one runs. The journal has the answers from outside. [agents/sessions, tenant]';
