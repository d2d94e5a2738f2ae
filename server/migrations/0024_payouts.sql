-- A round of a sale of which the operator voided a commission: the sale does not earn again by itself.
alter table earnings drop constraint earnings_end_reason_check;
alter table earnings add constraint earnings_end_reason_check check (end_reason in ('superseded', 'reversed', 'voided', 'expired'));

-- Settings of the programme and of tiers.
alter table programme add column payout_cron text default '0 6 15 * *';
alter table programme add column payout_time_zone text not null default 'UTC';
alter table programme add column payout_schedule_since timestamptz(3) not null default now();
alter table programme add column payout_minimums jsonb not null default '{}';
alter table programme add column payout_debtor jsonb;
alter table tiers add column payout_minimums jsonb not null default '{}';
comment on column programme.payout_cron is 'When partners are paid, as a cron expression in payout_time_zone. Null: only when the operator starts a run.';
comment on column programme.payout_schedule_since is 'When payout_cron or payout_time_zone was last set: times before are no runs that were missed.';
comment on column programme.payout_minimums is 'The least amount that is paid, by currency, in its minor unit.';
comment on column programme.payout_debtor is 'The account that bank files pay from: name, iban, bic.';
comment on column tiers.payout_minimums is 'The least amounts for partners of the grade, in place of those of the programme.';

-- Where partners are paid.
create table payout_methods (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  currencies text[] not null,
  holder text not null,
  details bytea not null,
  hint text not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint payout_methods_pkey primary key (partner_id, id),
  constraint payout_methods_kind_check check (kind in ('sepa', 'manual'))
);
alter table payout_methods add constraint payout_methods_partner_id_fkey foreign key (partner_id) references books (partner_id);
create unique index payout_methods_current on payout_methods (partner_id) where ended_at is null;
comment on table payout_methods is 'append-only but for: ended_at. Where a partner is paid; the details are sealed. One per partner is current. [money/payouts, tenant]';

-- Payouts.
create table payout_runs (
  id text collate "C" not null,
  slot text not null,
  cutoff timestamptz(3) not null,
  scheduled_for timestamptz(3) not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  state text not null,
  cursor text collate "C" not null default '',
  partners_total int not null default 0,
  partners_done int not null default 0,
  scheduled jsonb not null default '{}',
  blocked jsonb not null default '{}',
  finished_at timestamptz(3),
  version int not null default 1,
  constraint payout_runs_pkey primary key (id),
  constraint payout_runs_slot unique (slot),
  constraint payout_runs_state_check check (state in ('running', 'finished'))
);
create unique index payout_runs_running on payout_runs (state) where state = 'running';
create index payout_runs_cutoff on payout_runs (cutoff);
comment on table payout_runs is 'Runs that schedule payouts for all partners, worked off in steps. One runs at a time. [money/payouts, global]';

create table payout_exports (
  id text collate "C" not null,
  run_id text collate "C" not null,
  format text not null,
  currency text collate "C",
  debtor jsonb,
  state text not null,
  cursor text collate "C" not null default '',
  payouts int not null default 0,
  amount_cents bigint not null default 0,
  content bytea,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  constraint payout_exports_pkey primary key (id),
  constraint payout_exports_run_id_fkey foreign key (run_id) references payout_runs (id),
  constraint payout_exports_format_check check (format in ('csv', 'sepa')),
  constraint payout_exports_state_check check (state in ('running', 'finished'))
);
create unique index payout_exports_running on payout_exports (run_id) where state = 'running';
create index payout_exports_run on payout_exports (run_id, id);
comment on table payout_exports is 'Files for the bank, made once from the payouts that they contain; the content is sealed. [money/payouts, global]';

create table payouts (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  run_id text collate "C" not null,
  currency text collate "C" not null,
  statement_seq int not null,
  gross_cents bigint not null,
  adjustments_cents bigint not null,
  carry_in_cents bigint not null,
  net_cents bigint not null,
  commission_count int not null,
  period_from timestamptz(3) not null,
  period_to timestamptz(3) not null,
  scheduled_for timestamptz(3) not null,
  created_at timestamptz(3) not null,
  status text not null,
  attempt int not null,
  paid_at timestamptz(3),
  reference text,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint payouts_pkey primary key (partner_id, id),
  constraint payouts_run unique (partner_id, run_id, currency),
  constraint payouts_statement unique (partner_id, statement_seq),
  constraint payouts_net_cents_check check (net_cents > 0 and net_cents = gross_cents + adjustments_cents + carry_in_cents),
  constraint payouts_status_check check (status in ('scheduled', 'processing', 'paid', 'failed', 'cancelled')),
  constraint payouts_paid_at_check check ((status = 'paid') = (paid_at is not null))
);
alter table payouts add constraint payouts_partner_id_fkey foreign key (partner_id) references books (partner_id);
create index payouts_id on payouts using hash (id);
create index payouts_status on payouts (partner_id, status, id);
create index payouts_of_run on payouts (run_id, partner_id, id);
comment on table payouts is 'append-only but for: status, attempt, paid_at, reference, updated_at, version. What a run pays a partner in one currency, with the number of its statement. [money/payouts, tenant]';

create table payout_items (
  partner_id text collate "C" not null,
  payout_id text collate "C" not null,
  commission_id text collate "C" not null,
  amount_cents bigint not null,
  constraint payout_items_pkey primary key (partner_id, payout_id, commission_id)
);
alter table payout_items add constraint payout_items_partner_id_payout_id_fkey foreign key (partner_id, payout_id) references payouts (partner_id, id);
alter table payout_items add constraint payout_items_partner_id_commission_id_fkey foreign key (partner_id, commission_id) references commissions (partner_id, id);
create index payout_items_commission on payout_items (partner_id, commission_id);
comment on table payout_items is 'append-only: the commissions that a payout has claimed. Those of a cancelled one may be in a later one. [money/commissions, tenant]';

create table payout_attempts (
  partner_id text collate "C" not null,
  payout_id text collate "C" not null,
  attempt int not null,
  method_id text collate "C" not null,
  kind text not null,
  holder text not null,
  details bytea not null,
  hint text not null,
  started_at timestamptz(3) not null,
  export_id text collate "C",
  failure text,
  ended_at timestamptz(3),
  constraint payout_attempts_pkey primary key (partner_id, payout_id, attempt),
  constraint payout_attempts_kind_check check (kind in ('sepa', 'manual'))
);
alter table payout_attempts add constraint payout_attempts_partner_id_payout_id_fkey foreign key (partner_id, payout_id) references payouts (partner_id, id);
create index payout_attempts_export on payout_attempts (export_id, partner_id, payout_id) where export_id is not null;
comment on table payout_attempts is 'append-only but for: export_id, failure, ended_at. Each try to pay a payout, with the details of the method at that time, sealed. [money/payouts, tenant]';

-- What a run may claim, and what becomes due.
create index commissions_approved on commissions (partner_id, currency, hold_until) include (amount_cents) where status = 'approved';
create index commissions_pending on commissions (partner_id, currency, hold_until) include (amount_cents) where status = 'pending';
create index ledger_transfers_payout on ledger_transfers (partner_id, payout_id, seq) where payout_id is not null;
