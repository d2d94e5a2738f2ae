-- Channels.
create table channels (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  kind text not null,
  name text not null,
  status text not null default 'active',
  config jsonb not null,
  secrets bytea,
  token text collate "C" not null,
  agent_id text collate "C",
  hours jsonb,
  timezone text,
  per_minute int not null,
  last_error jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  version int not null default 1,
  constraint channels_pkey primary key (partner_id, id),
  constraint channels_kind_check check (kind in ('webchat', 'email', 'sms', 'whatsapp', 'api', 'simulator')),
  constraint channels_status_check check (status in ('active', 'paused', 'error')),
  constraint channels_per_minute_check check (per_minute between 1 and 100000)
);
alter table channels add constraint channels_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create unique index channels_name on channels (partner_id, account_id, lower(name)) where archived_at is null;
create index channels_account on channels (partner_id, account_id, id);
comment on table channels is 'Where an account exchanges messages with people. Secrets are sealed; the token names it in public paths. [inbox/channels, tenant]';
comment on column channels.agent_id is 'The agent that answers on it.';
comment on column channels.hours is 'When somebody is there: by day of the week, periods of local time.';

create table public_tokens (
  token text collate "C" not null,
  kind text not null,
  partner_id text collate "C" not null,
  target_id text collate "C" not null,
  constraint public_tokens_pkey primary key (token),
  constraint public_tokens_kind_check check (kind in ('chat', 'hook', 'pay'))
);
comment on table public_tokens is 'What the random token in a public path stands for, across all partners. [platform/http, by value]';

create table opt_outs (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  kind text not null,
  address_hash bytea not null,
  at timestamptz(3) not null,
  constraint opt_outs_pkey primary key (partner_id, account_id, kind, address_hash),
  constraint opt_outs_kind_check check (kind in ('email', 'sms', 'whatsapp'))
);
alter table opt_outs add constraint opt_outs_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
comment on table opt_outs is 'Addresses, as keyed hashes, that asked not to be written to. It outlives the deletion and erasure of the person. [inbox/channels, tenant]';

create table mailboxes (
  partner_id text collate "C" not null,
  channel_id text collate "C" not null,
  owner text collate "C",
  lease_until timestamptz(3),
  uid_validity bigint,
  last_uid bigint not null default 0,
  constraint mailboxes_pkey primary key (partner_id, channel_id)
);
alter table mailboxes add constraint mailboxes_partner_id_channel_id_fkey foreign key (partner_id, channel_id) references channels (partner_id, id);
comment on table mailboxes is 'The mailboxes that e-mail channels read, each by one process at a time, and how far. [inbox/channels, tenant]';

-- Conversations.
create table conversations (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  channel_id text collate "C" not null,
  channel_kind text not null,
  address text collate "C" not null,
  thread text collate "C" not null default '',
  person_id text collate "C",
  subject text,
  tags text[] not null default '{}',
  priority text not null default 'normal',
  status text not null default 'open',
  owner_kind text not null default 'none',
  owner_id text collate "C",
  owner_token bigint not null default 1,
  return_at timestamptz(3),
  reply_token text collate "C" not null,
  last_ordinal int not null default 0,
  last_message_id text collate "C",
  last_message_at timestamptz(3) not null,
  last_inbound_at timestamptz(3),
  unread int not null default 0,
  waiting_since timestamptz(3),
  snoozed_until timestamptz(3),
  previous_id text collate "C",
  closed_at timestamptz(3),
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint conversations_pkey primary key (partner_id, id),
  constraint conversations_status_check check (status in ('open', 'snoozed', 'closed')),
  constraint conversations_priority_check check (priority in ('low', 'normal', 'high', 'urgent')),
  constraint conversations_owner_kind_check check (owner_kind in ('none', 'agent', 'human')),
  constraint conversations_owner_check check (owner_kind = 'human' or (owner_kind = 'none') = (owner_id is null)),
  constraint conversations_snoozed_check check ((status = 'snoozed') = (snoozed_until is not null)),
  constraint conversations_archived_check check (archived_at is null or status = 'closed')
);
alter table conversations add constraint conversations_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
alter table conversations add constraint conversations_partner_id_channel_id_fkey foreign key (partner_id, channel_id) references channels (partner_id, id);
create unique index conversations_open on conversations (partner_id, channel_id, address, thread) where status <> 'closed';
create index conversations_address on conversations (partner_id, channel_id, address, last_message_at);
create unique index conversations_reply_token on conversations (partner_id, reply_token);
create index conversations_account on conversations (partner_id, account_id, last_message_at, id) where archived_at is null;
create index conversations_activity on conversations (partner_id, last_message_at, id) where archived_at is null;
create index conversations_person on conversations (partner_id, person_id, last_message_at, id) where person_id is not null;
create index conversations_tags on conversations using gin (partner_id, tags);
create index conversations_snoozed on conversations (snoozed_until) where status = 'snoozed';
create index conversations_return on conversations (return_at) where return_at is not null;
comment on table conversations is 'Exchanges of messages with one address on a channel. owner_token rises with every change of the owner. [inbox/conversations, tenant]';

create table messages (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  conversation_id text collate "C" not null,
  channel_id text collate "C" not null,
  ordinal int not null,
  direction text not null,
  kind text not null,
  author_type text not null,
  author_id text collate "C" not null,
  subject text,
  text text not null,
  html text,
  status text not null,
  status_at timestamptz(3) not null,
  provider_id text collate "C",
  client_message_id text collate "C",
  purpose text not null default 'conversational',
  template_id text collate "C",
  automatic boolean not null default false,
  retry_of text collate "C",
  detail jsonb,
  error jsonb,
  scheduled_at timestamptz(3),
  created_at timestamptz(3) not null,
  version int not null default 1,
  constraint messages_pkey primary key (partner_id, id),
  constraint messages_ordinal_key unique (partner_id, conversation_id, ordinal),
  constraint messages_direction_check check (direction in ('in', 'out')),
  constraint messages_kind_check check (kind in ('text', 'note', 'event')),
  constraint messages_status_check check (status in ('received', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'cancelled')),
  constraint messages_purpose_check check (purpose in ('conversational', 'transactional', 'marketing')),
  constraint messages_text_check check (length(text) <= 100000)
);
alter table messages add constraint messages_partner_id_conversation_id_fkey foreign key (partner_id, conversation_id) references conversations (partner_id, id);
create unique index messages_provider_id on messages (partner_id, channel_id, provider_id) where provider_id is not null;
create unique index messages_client_message_id on messages (partner_id, conversation_id, client_message_id) where client_message_id is not null;
create index messages_text on messages using gin (partner_id, account_id, lower(text) gin_trgm_ops);
comment on table messages is 'What was said in a conversation, in the order of ordinals without gaps. A status only goes forward. [inbox/conversations, tenant]';
comment on column messages.detail is 'What a channel needs to thread and send it, such as the references of an e-mail; what an event tells.';

create table message_sends (
  partner_id text collate "C" not null,
  message_id text collate "C" not null,
  account_id text collate "C" not null,
  conversation_id text collate "C" not null,
  channel_id text collate "C" not null,
  ordinal int not null,
  next_at timestamptz(3) not null,
  attempts int not null default 0,
  claimed_by text collate "C",
  claimed_until timestamptz(3),
  constraint message_sends_pkey primary key (partner_id, message_id)
);
alter table message_sends add constraint message_sends_partner_id_message_id_fkey foreign key (partner_id, message_id) references messages (partner_id, id);
create index message_sends_due on message_sends (next_at);
create index message_sends_channel on message_sends (partner_id, channel_id, next_at, message_id);
create index message_sends_conversation on message_sends (partner_id, conversation_id, ordinal);
comment on table message_sends is 'Messages that have still to be sent: when next, and by which process. A row goes when its message is final or with the provider. [inbox/conversations, tenant]';

create table message_attempts (
  partner_id text collate "C" not null,
  message_id text collate "C" not null,
  number int not null,
  started_at timestamptz(3) not null,
  duration_ms int not null,
  outcome text not null,
  code text,
  detail text,
  constraint message_attempts_pkey primary key (partner_id, message_id, number)
);
alter table message_attempts add constraint message_attempts_partner_id_message_id_fkey foreign key (partner_id, message_id) references messages (partner_id, id);
comment on table message_attempts is 'append-only but for: detail. Every call of a provider for a message, and what came of it. [inbox/conversations, tenant]';

create table parked_statuses (
  partner_id text collate "C" not null,
  channel_id text collate "C" not null,
  provider_id text collate "C" not null,
  status text not null,
  code text,
  detail text,
  opted_out boolean not null default false,
  at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  constraint parked_statuses_pkey primary key (partner_id, channel_id, provider_id, status)
);
comment on table parked_statuses is 'Statuses that came before the id of their message was known; kept for three days. [inbox/conversations, tenant]';

create table attachments (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  message_id text collate "C",
  position int not null default 0,
  name text not null,
  media_type text not null,
  bytes bigint not null,
  sha256 bytea not null,
  created_at timestamptz(3) not null,
  constraint attachments_pkey primary key (partner_id, id),
  constraint attachments_bytes_check check (bytes >= 0)
);
alter table attachments add constraint attachments_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create index attachments_message on attachments (partner_id, message_id, position) where message_id is not null;
create index attachments_unused on attachments (partner_id, created_at) where message_id is null;
create index attachments_account on attachments (partner_id, account_id) include (bytes);
comment on table attachments is 'Files of messages. One that no message uses is deleted after a day. [inbox/conversations, tenant]';

create table attachment_chunks (
  partner_id text collate "C" not null,
  attachment_id text collate "C" not null,
  number int not null,
  bytes bytea not null,
  constraint attachment_chunks_pkey primary key (partner_id, attachment_id, number)
);
alter table attachment_chunks alter column bytes set storage external;
comment on table attachment_chunks is 'The bytes of attachments in pieces of 256 KiB, stored while a file is uploaded and before its row. [inbox/conversations, tenant]';

alter table message_templates add column provider_template jsonb;
comment on column message_templates.provider_template is 'The name and language of the template that WhatsApp has approved.';
