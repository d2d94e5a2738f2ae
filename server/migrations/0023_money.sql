-- Plans.
create table plans (
  id text collate "C" not null,
  name text not null,
  prices jsonb not null default '{}',
  state text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint plans_pkey primary key (id),
  constraint plans_state_check check (state in ('active', 'archived', 'legacy'))
);
create unique index plans_name on plans (lower(name));
comment on table plans is 'The plans that partners sell, with their monthly prices by currency. A legacy plan is a name from before there was a catalogue. [accounts/plans, global]';

-- Names that differ only in case are one plan.
insert into plans (id, name, state, created_at, updated_at)
  select 'pln_0' || substr(md5(lower(u.plan)), 1, 25), min(u.plan), 'legacy', now(), now()
  from (select plan from clients where plan is not null union select plan from deals where plan is not null) u
  group by lower(u.plan);

-- Tiers.
create table tiers (
  grade text collate "C" not null,
  name text not null,
  rank int not null,
  requirements jsonb not null default '[]',
  hold_days int,
  protection_days int,
  open_registrations_max int,
  rate_limit_per_minute int,
  rate_limit_burst int,
  api_access boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint tiers_pkey primary key (grade),
  constraint tiers_rank_key unique (rank),
  constraint tiers_hold_days_check check (hold_days between 0 and 365),
  constraint tiers_protection_days_check check (protection_days between 1 and 3650),
  constraint tiers_open_registrations_max_check check (open_registrations_max between 1 and 1000000),
  constraint tiers_rate_limit_per_minute_check check (rate_limit_per_minute between 1 and 10000000),
  constraint tiers_rate_limit_burst_check check (rate_limit_burst between 1 and 1000000)
);
comment on table tiers is 'The grades of partners in ascending rank, what each requires, and its benefits. Null: as the programme says. [programme/tiers, global]';

insert into tiers (grade, name, rank, requirements, api_access, created_at, updated_at) values
  ('registered', 'Registered', 0, '[]', false, now(), now()),
  ('silver', 'Silver', 1, '[{"metric": "active_clients", "value": 5}]', false, now(), now()),
  ('gold', 'Gold', 2, '[{"metric": "active_clients", "value": 20}]', true, now(), now()),
  ('platinum', 'Platinum', 3, '[{"metric": "active_clients", "value": 50}, {"metric": "retention_bps", "value": 8500, "window_days": 365}]', true, now(), now());

create table certifications (
  id text collate "C" not null,
  name text not null,
  description text,
  valid_days int,
  lifts_to text collate "C",
  archived boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint certifications_pkey primary key (id),
  constraint certifications_valid_days_check check (valid_days between 1 and 3650),
  constraint certifications_lifts_to_fkey foreign key (lifts_to) references tiers (grade)
);
create unique index certifications_name on certifications (lower(name));
comment on table certifications is 'What partners can be certified in, for how long, and the grade that it lifts them to. [programme/tiers, global]';

create table certification_grants (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  certification_id text collate "C" not null,
  granted_by text collate "C" not null,
  granted_at timestamptz(3) not null,
  expires_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
  constraint certification_grants_pkey primary key (partner_id, id),
  constraint certification_grants_end_reason_check check (end_reason in ('expired', 'revoked')),
  constraint certification_grants_check check ((ended_at is null) = (end_reason is null))
);
alter table certification_grants add constraint certification_grants_certification_id_fkey foreign key (certification_id) references certifications (id);
create unique index certification_grants_held on certification_grants (partner_id, certification_id) where ended_at is null;
create index certification_grants_expiry on certification_grants (expires_at) where ended_at is null and expires_at is not null;
comment on table certification_grants is 'append-only but for: ended_at, end_reason. The certifications of a partner. [money/standing, tenant]';

create table tier_changes (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz(3) not null,
  previous_grade text collate "C" not null,
  grade text collate "C" not null,
  direction text not null,
  reason text not null,
  certification_id text collate "C",
  actor_id text collate "C" not null,
  constraint tier_changes_pkey primary key (partner_id, id),
  constraint tier_changes_direction_check check (direction in ('up', 'down', 'none')),
  constraint tier_changes_reason_check check (reason in ('metric', 'certification', 'manual'))
);
create index tier_changes_at on tier_changes (partner_id, at, id);
comment on table tier_changes is 'append-only: the grades of a partner over time, and the certifications that it got and lost. [programme/partners, tenant]';

alter table partners add column pinned boolean not null default false;
alter table partners add column pinned_until timestamptz(3);
alter table partners add column grace_until timestamptz(3);
comment on column partners.pinned is 'Whether the operator has set the grade by hand: metrics do not change it, until pinned_until if there is one.';
comment on column partners.grace_until is 'When the partner loses its grade, because it no longer meets the requirements.';
update partners set pinned = true where grade <> 'registered';
alter table partners add constraint partners_grade_fkey foreign key (grade) references tiers (grade);

-- Settings of the programme.
alter table programme add column hold_days int not null default 30;
alter table programme add column first_charge_days int not null default 180;
alter table programme add column override_bps int[] not null default '{300,200,100}';
alter table programme add column override_gate int not null default 1;
alter table programme add column total_cap_bps int not null default 5000;
alter table programme add column tier_grace_days int not null default 30;
alter table programme add column sub_partner_invites text not null default 'on';
alter table programme add constraint programme_hold_days_check check (hold_days between 0 and 365);
alter table programme add constraint programme_first_charge_days_check check (first_charge_days between 1 and 3650);
alter table programme add constraint programme_override_bps_check check (cardinality(override_bps) <= 3 and 0 <= all (override_bps) and 10000 >= all (override_bps));
alter table programme add constraint programme_override_gate_check check (override_gate between 0 and 1000000);
alter table programme add constraint programme_total_cap_bps_check check (total_cap_bps between 0 and 10000);
alter table programme add constraint programme_tier_grace_days_check check (tier_grace_days between 0 and 365);
alter table programme add constraint programme_sub_partner_invites_check check (sub_partner_invites in ('on', 'off'));

-- Rules.
create table commission_rules (
  id text collate "C" not null,
  version int not null,
  name text not null,
  scope text not null,
  grade text collate "C",
  partner_id text collate "C",
  priority int not null,
  active boolean not null,
  plan text,
  currency text,
  min_mrr_cents bigint,
  first jsonb not null,
  recurring jsonb not null,
  months int,
  applies_to text not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  constraint commission_rules_pkey primary key (id, version),
  constraint commission_rules_scope_check check (scope in ('programme', 'grade', 'partner')),
  constraint commission_rules_grade_check check ((scope = 'grade') = (grade is not null)),
  constraint commission_rules_partner_check check ((scope = 'partner') = (partner_id is not null)),
  constraint commission_rules_months_check check (months between 1 and 1200),
  constraint commission_rules_applies_to_check check (applies_to in ('new_deals', 'all_charges')),
  constraint commission_rules_partner_id_fkey foreign key (partner_id) references partners (id)
);
comment on table commission_rules is 'append-only: the versions of the rules that say what a sale earns. The newest version of a rule is in force. [programme/rules, global]';

insert into commission_rules (id, version, name, scope, grade, priority, active, first, recurring, months, applies_to, created_by, created_at) values
  ('rul_00000000000000000000000001', 1, 'Registered', 'grade', 'registered', 0, true, '{"bps": 1000}', '{"bps": 1000}', 12, 'new_deals', 'system', now()),
  ('rul_00000000000000000000000002', 1, 'Silver', 'grade', 'silver', 0, true, '{"bps": 1500}', '{"bps": 1500}', 12, 'new_deals', 'system', now()),
  ('rul_00000000000000000000000003', 1, 'Gold', 'grade', 'gold', 0, true, '{"bps": 2000}', '{"bps": 2000}', 24, 'new_deals', 'system', now()),
  ('rul_00000000000000000000000004', 1, 'Platinum', 'grade', 'platinum', 0, true, '{"bps": 2500}', '{"bps": 2500}', 36, 'new_deals', 'system', now());

-- Who stands above a partner is frozen when a sale is registered.
alter table registrations add column upline text[] collate "C" not null default '{}';
update registrations r set upline = u.upline
from (
  select p.id, array_remove(array[p.parent_id, q.parent_id, s.parent_id], null) as upline
  from partners p left join partners q on q.id = p.parent_id left join partners s on s.id = q.parent_id
) u
where u.id = r.partner_id and u.upline <> '{}';
comment on column registrations.upline is 'The partners above the seller when the sale was registered, nearest first.';

-- The book of a partner, and its ledger.
create table books (
  partner_id text collate "C" not null,
  statement_seq int not null default 0,
  payouts_held boolean not null default false,
  hold_reason text,
  version int not null default 1,
  constraint books_pkey primary key (partner_id)
);
comment on table books is 'The money of one partner. Whoever changes it locks this row first. [money/ledger, tenant]';

create table ledger_transfers (
  partner_id text collate "C" not null,
  seq bigint not null,
  transaction_id text collate "C" not null,
  at timestamptz(3) not null,
  debit text collate "C" not null,
  credit text collate "C" not null,
  currency text collate "C" not null,
  amount_cents bigint not null,
  debit_after bigint not null,
  credit_after bigint not null,
  fact text not null,
  commission_id text collate "C",
  payout_id text collate "C",
  actor_id text collate "C" not null,
  constraint ledger_transfers_pkey primary key (partner_id, seq),
  constraint ledger_transfers_amount_cents_check check (amount_cents > 0),
  constraint ledger_transfers_check check (debit <> credit),
  constraint ledger_transfers_accounts_check check (
    debit in ('expense', 'pending', 'held', 'approved', 'scheduled', 'cash', 'written_off')
    and credit in ('expense', 'pending', 'held', 'approved', 'scheduled', 'cash', 'written_off'))
);
alter table ledger_transfers add constraint ledger_transfers_partner_id_fkey foreign key (partner_id) references books (partner_id);
create index ledger_transfers_debit on ledger_transfers (partner_id, debit, currency, seq);
create index ledger_transfers_credit on ledger_transfers (partner_id, credit, currency, seq);
create index ledger_transfers_at on ledger_transfers (partner_id, at, seq);
create index ledger_transfers_commission on ledger_transfers (partner_id, commission_id, seq) where commission_id is not null;
comment on table ledger_transfers is 'append-only: amounts moved from one account of a book to another. A row is a whole transfer, so that debits equal credits; debit_after and credit_after are the balances of both accounts (credits less debits). [money/ledger, tenant]';

-- What a won sale earns.
create table earnings (
  partner_id text collate "C" not null,
  deal_id text collate "C" not null,
  round int not null,
  client_id text collate "C" not null,
  currency text collate "C" not null,
  mrr_cents bigint not null,
  grade text collate "C" not null,
  link_id text collate "C",
  terms jsonb not null,
  opened_at timestamptz(3) not null,
  first_charge_id text collate "C",
  window_until timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
  constraint earnings_pkey primary key (partner_id, deal_id, round),
  constraint earnings_end_reason_check check (end_reason in ('superseded', 'reversed', 'expired')),
  constraint earnings_check check ((ended_at is null) = (end_reason is null))
);
alter table earnings add constraint earnings_partner_id_fkey foreign key (partner_id) references books (partner_id);
alter table earnings add constraint earnings_partner_id_client_id_fkey foreign key (partner_id, client_id) references clients (partner_id, id);
create unique index earnings_live on earnings (partner_id, client_id) where ended_at is null;
create index earnings_client on earnings (partner_id, client_id, opened_at);
create index earnings_awaiting on earnings (opened_at) where ended_at is null and first_charge_id is null;
comment on table earnings is 'append-only but for: first_charge_id, window_until, ended_at, end_reason. What a won sale earns and on which terms, frozen at the win. A sale that is won again has another round. One per client is live. [money/commissions, tenant]';

create table commissions (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  cause text collate "C" not null,
  kind text not null,
  level int not null,
  deal_id text collate "C",
  round int,
  client_id text collate "C",
  charge_id text collate "C",
  refund_id text collate "C",
  root_id text collate "C",
  source_commission_id text collate "C",
  source_partner_id text collate "C",
  origin_partner_id text collate "C",
  origin_commission_id text collate "C",
  base_cents bigint not null,
  rate_bps int not null,
  amount_cents bigint not null,
  currency text collate "C" not null,
  grade text collate "C" not null,
  rule jsonb,
  calculation jsonb not null,
  reason_code text,
  accrued_at timestamptz(3) not null,
  status text not null,
  hold_until timestamptz(3),
  hold_reason text,
  payout_id text collate "C",
  version int not null default 1,
  constraint commissions_pkey primary key (partner_id, id),
  constraint commissions_cause unique (partner_id, cause),
  constraint commissions_kind_check check (kind in ('first', 'recurring', 'override', 'adjustment', 'reversal', 'marketplace')),
  constraint commissions_level_check check (level between 0 and 3),
  constraint commissions_amount_cents_check check (amount_cents <> 0),
  constraint commissions_status_check check (status in ('pending', 'held', 'approved', 'scheduled', 'paid', 'void'))
);
alter table commissions add constraint commissions_partner_id_fkey foreign key (partner_id) references books (partner_id);
alter table commissions add constraint commissions_partner_id_root_id_fkey foreign key (partner_id, root_id) references commissions (partner_id, id);
create index commissions_id on commissions using hash (id);
create index commissions_root on commissions (partner_id, root_id) where root_id is not null;
create index commissions_deal on commissions (partner_id, deal_id, id) where deal_id is not null;
create index commissions_client on commissions (partner_id, client_id, id) where client_id is not null;
create index commissions_charge on commissions (partner_id, charge_id, id) where charge_id is not null;
create index commissions_status on commissions (partner_id, status, id);
create index commissions_kind on commissions (partner_id, kind, id);
create index commissions_level on commissions (partner_id, level, id);
create index commissions_currency on commissions (partner_id, currency, id);
create index commissions_payout on commissions (partner_id, payout_id, id) where payout_id is not null;
create index commissions_due on commissions (hold_until) where status = 'pending' and hold_until is not null;
create index commissions_source_partner on commissions (partner_id, source_partner_id, id) where source_partner_id is not null;
comment on table commissions is 'append-only but for: status, hold_until, hold_reason, payout_id, version. Each amount that was earned or taken back. A root and the rows that name it move together. [money/commissions, tenant]';

-- What clients paid.
create table charges (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  external_id text collate "C" not null,
  client_id text collate "C" not null,
  source text not null,
  amount_cents bigint not null,
  currency text collate "C" not null,
  months int not null,
  plan text,
  charged_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  refunded_cents bigint not null default 0,
  deal_id text collate "C",
  round int,
  levels int not null default 0,
  outcome text not null,
  constraint charges_pkey primary key (partner_id, id),
  constraint charges_external_id unique (partner_id, external_id),
  constraint charges_amount_cents_check check (amount_cents between 0 and 9007199254740991),
  constraint charges_months_check check (months between 1 and 120),
  constraint charges_refunded_cents_check check (refunded_cents between 0 and amount_cents),
  constraint charges_source_check check (source in ('operator', 'billing')),
  constraint charges_outcome_check check (outcome in ('earned', 'no_sale', 'outside_window', 'zero'))
);
alter table charges add constraint charges_partner_id_client_id_fkey foreign key (partner_id, client_id) references clients (partner_id, id);
create index charges_id on charges using hash (id);
create index charges_client on charges (partner_id, client_id, charged_at, id);
create index charges_at on charges (partner_id, charged_at, id);
create index charges_outcome on charges (partner_id, outcome, charged_at, id);
create index charges_deal on charges (partner_id, deal_id, round) where deal_id is not null;
comment on table charges is 'append-only but for: refunded_cents, deal_id, round, levels, outcome. What clients paid, without tax, the sale that it earned for, and as bits the levels above the seller that earned too. [money/charges, tenant]';

create table refunds (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  external_id text collate "C" not null,
  client_id text collate "C" not null,
  charge_external_id text collate "C" not null,
  amount_cents bigint not null,
  reason text,
  refunded_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  charge_id text collate "C",
  applied_cents bigint not null default 0,
  status text not null,
  constraint refunds_pkey primary key (partner_id, id),
  constraint refunds_external_id unique (partner_id, external_id),
  constraint refunds_amount_cents_check check (amount_cents between 1 and 9007199254740991),
  constraint refunds_applied_cents_check check (applied_cents between 0 and amount_cents),
  constraint refunds_status_check check (status in ('waiting', 'applied', 'excess'))
);
alter table refunds add constraint refunds_partner_id_client_id_fkey foreign key (partner_id, client_id) references clients (partner_id, id);
alter table refunds add constraint refunds_partner_id_charge_id_fkey foreign key (partner_id, charge_id) references charges (partner_id, id);
create index refunds_charge on refunds (partner_id, charge_id, id) where charge_id is not null;
create index refunds_waiting on refunds (partner_id, charge_external_id, id) where status = 'waiting';
comment on table refunds is 'append-only but for: charge_id, applied_cents, status. What clients got back. One that comes before its charge waits for it; excess is more than was charged. [money/charges, tenant]';

-- The operator names clients, charges and commissions by their id alone. A hash has no order, so that no list of a partner is read by it.
create index clients_id on clients using hash (id);
