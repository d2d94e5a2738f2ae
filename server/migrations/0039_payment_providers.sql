alter table payment_providers add column token text collate "C";
alter table payment_providers add column live boolean not null default true;
update payment_providers set live = false where kind = 'test';
comment on column payment_providers.token is 'Names the provider in the path that it calls; null for a kind that calls nobody.';

create table programme_providers (
  id text collate "C" not null,
  kind text not null,
  name text not null,
  status text not null default 'active',
  config jsonb not null,
  secrets bytea,
  token text collate "C",
  live boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  version int not null default 1,
  constraint programme_providers_pkey primary key (id),
  constraint programme_providers_kind_check check (kind in ('test', 'stripe')),
  constraint programme_providers_status_check check (status in ('active', 'paused'))
);
comment on table programme_providers is 'Who collects money for the operator: payments of links with a charge. Secrets are sealed. [billing/providers, global]';

create table provider_events (
  partner_id text collate "C" not null,
  provider_id text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  handled_at timestamptz(3) not null,
  constraint provider_events_pkey primary key (partner_id, provider_id, event_id)
);
create index provider_events_age on provider_events (handled_at);
comment on table provider_events is 'What payment providers have told and was dealt with, so that copies of it cost nothing; the operator''s providers have the partner operator. [billing/payments, tenant]';

alter table test_sessions add column dispute text;
alter table test_sessions add constraint test_sessions_dispute_check check (dispute in ('open', 'won', 'lost'));

alter table payment_links add column on_paid jsonb;
alter table payment_links add column charge jsonb;
comment on column payment_links.charge is 'Whether its payments are charges of a client: of client_id, or without it of the client that the deal has by then.';

alter table payments add column on_paid_results jsonb not null default '[]';
alter table payments add column charge jsonb;
comment on column payments.charge is 'What the payment was as a charge: of which client, and how much without tax.';

create table payment_disputes (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  payment_id text collate "C" not null,
  provider_ref text collate "C" not null,
  amount_cents bigint not null,
  reason text not null,
  status text not null,
  created_at timestamptz(3) not null,
  decided_at timestamptz(3),
  constraint payment_disputes_pkey primary key (partner_id, id),
  constraint payment_disputes_provider_ref_key unique (partner_id, payment_id, provider_ref),
  constraint payment_disputes_status_check check (status in ('open', 'won', 'lost')),
  constraint payment_disputes_decided_check check ((status = 'open') = (decided_at is null))
);
alter table payment_disputes add constraint payment_disputes_partner_id_payment_id_fkey foreign key (partner_id, payment_id) references payments (partner_id, id);
create index payment_disputes_account on payment_disputes (partner_id, account_id, id);
create index payment_disputes_status on payment_disputes (partner_id, status, id);
comment on table payment_disputes is 'Payments that payers have had their banks call back, and who won. [billing/payments, tenant]';
