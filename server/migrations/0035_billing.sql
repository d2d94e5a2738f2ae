create table payment_providers (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C",
  kind text not null,
  name text not null,
  status text not null default 'active',
  config jsonb not null,
  secrets bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  version int not null default 1,
  constraint payment_providers_pkey primary key (partner_id, id),
  constraint payment_providers_kind_check check (kind in ('test', 'manual', 'stripe')),
  constraint payment_providers_status_check check (status in ('active', 'paused'))
);
alter table payment_providers add constraint payment_providers_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create index payment_providers_account on payment_providers (partner_id, account_id, id);
comment on table payment_providers is 'Who collects the money of payment links: for one account, or without one for all of the partner. Secrets are sealed. [billing/providers, tenant]';

create table test_sessions (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  state text not null default 'open',
  then_state text,
  then_at timestamptz(3),
  card_last4 text,
  refunded_cents bigint not null default 0,
  created_at timestamptz(3) not null,
  constraint test_sessions_pkey primary key (partner_id, id),
  constraint test_sessions_state_check check (state in ('open', 'confirming', 'processing', 'succeeded', 'failed', 'expired')),
  constraint test_sessions_then_check check ((state = 'processing') = (then_state is not null and then_at is not null))
);
comment on table test_sessions is 'What the test provider knows of the payments that it was asked for, by the id of the attempt: it stands for the database of a provider elsewhere. [billing/providers, tenant]';

create table payment_links (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  contact_id text collate "C",
  customer jsonb not null,
  description text,
  reference text,
  currency text not null,
  total_cents bigint not null,
  line_items jsonb,
  usage text not null,
  uses_max int,
  limit_cents bigint,
  paid_cents bigint not null default 0,
  reserved_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  tips_cents bigint not null default 0,
  status text not null default 'active',
  expires_at timestamptz(3) not null,
  due_on date,
  timezone text not null,
  partial jsonb,
  tip jsonb,
  collect jsonb not null default '[]',
  provider_id text collate "C",
  deal_id text collate "C",
  conversation_id text collate "C",
  metadata jsonb not null default '{}',
  token text collate "C" not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  paid_at timestamptz(3),
  version int not null default 1,
  constraint payment_links_pkey primary key (partner_id, id),
  constraint payment_links_status_check check (status in ('active', 'partially_paid', 'paid', 'cancelled', 'closed', 'expired', 'disabled')),
  constraint payment_links_usage_check check (usage in ('single', 'multi')),
  constraint payment_links_limit_check check (usage = 'multi' or limit_cents = total_cents),
  constraint payment_links_total_check check (total_cents > 0),
  constraint payment_links_amounts_check check (paid_cents >= 0 and reserved_cents >= 0 and tips_cents >= 0 and refunded_cents between 0 and paid_cents + tips_cents)
);
alter table payment_links add constraint payment_links_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
alter table payment_links add constraint payment_links_partner_id_contact_id_fkey foreign key (partner_id, contact_id) references contacts (partner_id, id);
alter table payment_links add constraint payment_links_partner_id_provider_id_fkey foreign key (partner_id, provider_id) references payment_providers (partner_id, id);
create index payment_links_account on payment_links (partner_id, account_id, id);
create index payment_links_status on payment_links (partner_id, status, id);
create index payment_links_contact on payment_links (partner_id, contact_id, id) where contact_id is not null;
create index payment_links_deal on payment_links (partner_id, deal_id, id) where deal_id is not null;
create index payment_links_expires on payment_links (expires_at) where status in ('active', 'partially_paid');
comment on table payment_links is 'Requests for money from customers. What is reserved is being paid right now: paid and reserved stay within the limit, which a link without one of multi use does not have. [billing/payment-links, tenant]';
comment on column payment_links.limit_cents is 'What all payments together may be: the total, or that times the uses; null without a limit.';

create table payment_attempts (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  link_id text collate "C" not null,
  provider_id text collate "C",
  provider_kind text not null,
  provider_ref text collate "C",
  redirect text,
  amount_cents bigint not null,
  tip_cents bigint not null default 0,
  currency text not null,
  state text not null,
  failure text,
  form_nonce text collate "C",
  payer jsonb not null default '{}',
  created_at timestamptz(3) not null,
  state_at timestamptz(3) not null,
  next_look_at timestamptz(3) not null,
  constraint payment_attempts_pkey primary key (partner_id, id),
  constraint payment_attempts_state_check check (state in ('created', 'pending', 'processing', 'expiring', 'succeeded', 'failed', 'cancelled', 'expired')),
  constraint payment_attempts_amount_check check (amount_cents > 0 and tip_cents >= 0)
);
alter table payment_attempts add constraint payment_attempts_partner_id_link_id_fkey foreign key (partner_id, link_id) references payment_links (partner_id, id);
create unique index payment_attempts_form_nonce on payment_attempts (partner_id, form_nonce) where form_nonce is not null;
create unique index payment_attempts_provider_ref on payment_attempts (partner_id, provider_id, provider_ref) where provider_ref is not null;
create index payment_attempts_link on payment_attempts (partner_id, link_id, id);
create index payment_attempts_open on payment_attempts (next_look_at) where state in ('created', 'pending', 'processing', 'expiring');
comment on table payment_attempts is 'Each try to pay a link. As long as it may still succeed, its amount is reserved. [billing/payments, tenant]';

create table payments (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  link_id text collate "C" not null,
  attempt_id text collate "C" not null,
  contact_id text collate "C",
  provider_id text collate "C",
  provider_kind text not null,
  provider_ref text collate "C" not null,
  amount_cents bigint not null,
  tip_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunding_cents bigint not null default 0,
  currency text not null,
  status text not null default 'succeeded',
  method text not null,
  method_hint text,
  payer jsonb not null,
  receipt_number text not null,
  live boolean not null,
  flag text,
  note text,
  paid_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint payments_pkey primary key (partner_id, id),
  constraint payments_attempt_id_key unique (partner_id, attempt_id),
  constraint payments_provider_ref_key unique (partner_id, provider_kind, provider_ref),
  constraint payments_receipt_number_key unique (partner_id, account_id, receipt_number),
  constraint payments_status_check check (status in ('succeeded', 'partially_refunded', 'refunded', 'disputed', 'lost')),
  constraint payments_flag_check check (flag in ('late', 'overpaid')),
  constraint payments_refunded_check check (refunded_cents >= 0 and refunding_cents >= 0 and refunded_cents + refunding_cents <= amount_cents + tip_cents)
);
alter table payments add constraint payments_partner_id_attempt_id_fkey foreign key (partner_id, attempt_id) references payment_attempts (partner_id, id);
alter table payments add constraint payments_partner_id_link_id_fkey foreign key (partner_id, link_id) references payment_links (partner_id, id);
create index payments_account on payments (partner_id, account_id, id);
create index payments_link on payments (partner_id, link_id, id);
create index payments_contact on payments (partner_id, contact_id, id) where contact_id is not null;
create index payments_status on payments (partner_id, status, id);
comment on table payments is 'Money that was received: one row for each attempt that succeeded, with its receipt. [billing/payments, tenant]';
comment on column payments.flag is 'late: the link took no payments any more; overpaid: it was paid already. The money counts in both cases.';

create table payment_refunds (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  payment_id text collate "C" not null,
  amount_cents bigint not null,
  reason text not null,
  status text not null default 'pending',
  failure text,
  provider_ref text collate "C",
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  status_at timestamptz(3) not null,
  next_look_at timestamptz(3) not null,
  constraint payment_refunds_pkey primary key (partner_id, id),
  constraint payment_refunds_status_check check (status in ('pending', 'succeeded', 'failed')),
  constraint payment_refunds_amount_check check (amount_cents > 0)
);
alter table payment_refunds add constraint payment_refunds_partner_id_payment_id_fkey foreign key (partner_id, payment_id) references payments (partner_id, id);
create index payment_refunds_payment on payment_refunds (partner_id, payment_id, id);
create index payment_refunds_pending on payment_refunds (next_look_at) where status = 'pending';
comment on table payment_refunds is 'Money that goes back to payers. [billing/payments, tenant]';

create table receipt_counters (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  live boolean not null,
  last int not null,
  constraint receipt_counters_pkey primary key (partner_id, account_id, live)
);
comment on table receipt_counters is 'The last number of an account''s receipts, which have no gaps; those of tests are numbered apart. [billing/payments, tenant]';
