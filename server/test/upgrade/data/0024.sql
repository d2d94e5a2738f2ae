-- Payouts: a method, a run that paid one, with its commission, its attempt, its transfers, and a file of another.
insert into payout_methods (partner_id, id, kind, currencies, holder, details, hint, created_by, created_at) values
  ('ptr_01mg0000000000000000000001', 'pmd_01mg0000000000000000000001', 'manual', '{usd}', 'Northwind', '\x00', 'Manual transfer', 'system', '2026-11-15T09:00:00Z');
insert into payout_runs (id, slot, cutoff, scheduled_for, created_by, created_at, state, finished_at) values
  ('prn_01mg0000000000000000000001', '2026-11-15T09:00:00.000Z', '2026-11-15T09:00:00Z', '2026-11-15T09:00:00Z', 'system', '2026-11-15T09:00:00Z', 'finished', '2026-11-15T09:00:01Z');
insert into commissions (partner_id, id, cause, kind, level, base_cents, rate_bps, amount_cents, currency, grade, calculation, accrued_at, status, hold_until, payout_id) values
  ('ptr_01mg0000000000000000000001', 'com_01mg0000000000000000000009', 'adjust:upgrade', 'adjustment', 0, 6000, 0, 6000, 'usd', 'silver', '[]', '2026-11-15T08:30:00Z', 'paid', '2026-11-15T08:30:00Z', 'pay_01mg0000000000000000000001');
insert into payouts (partner_id, id, run_id, currency, statement_seq, gross_cents, adjustments_cents, carry_in_cents, net_cents, commission_count, period_from, period_to, scheduled_for, created_at, status, attempt, paid_at, updated_at) values
  ('ptr_01mg0000000000000000000001', 'pay_01mg0000000000000000000001', 'prn_01mg0000000000000000000001', 'usd', 1, 6000, 0, 0, 6000, 1, '2026-11-15T08:30:00Z', '2026-11-15T09:00:00Z', '2026-11-15T09:00:00Z', '2026-11-15T09:00:00Z', 'paid', 1, '2026-11-15T10:00:00Z', '2026-11-15T10:00:00Z');
update books set statement_seq = 1 where partner_id = 'ptr_01mg0000000000000000000001';
insert into payout_items (partner_id, payout_id, commission_id, amount_cents) values
  ('ptr_01mg0000000000000000000001', 'pay_01mg0000000000000000000001', 'com_01mg0000000000000000000009', 6000);
insert into payout_exports (id, run_id, format, state, payouts, amount_cents, content, created_by, created_at, finished_at) values
  ('pex_01mg0000000000000000000001', 'prn_01mg0000000000000000000001', 'csv', 'finished', 1, 6000, '\x00', 'system', '2026-11-15T09:10:00Z', '2026-11-15T09:10:01Z');
insert into payout_attempts (partner_id, payout_id, attempt, method_id, kind, holder, details, hint, started_at, export_id, ended_at) values
  ('ptr_01mg0000000000000000000001', 'pay_01mg0000000000000000000001', 1, 'pmd_01mg0000000000000000000001', 'manual', 'Northwind', '\x00', 'Manual transfer', '2026-11-15T09:00:00Z', 'pex_01mg0000000000000000000001', '2026-11-15T10:00:00Z');
insert into ledger_transfers (partner_id, seq, transaction_id, at, debit, credit, currency, amount_cents, debit_after, credit_after, fact, commission_id, payout_id, actor_id) values
  ('ptr_01mg0000000000000000000001', 1, 'ltx_01mg0000000000000000000001', '2026-11-15T08:30:00Z', 'expense', 'approved', 'usd', 6000, -6000, 6000, 'adjusted', 'com_01mg0000000000000000000009', null, 'system'),
  ('ptr_01mg0000000000000000000001', 2, 'ltx_01mg0000000000000000000002', '2026-11-15T09:00:00Z', 'approved', 'scheduled', 'usd', 6000, 0, 6000, 'scheduled', null, 'pay_01mg0000000000000000000001', 'system'),
  ('ptr_01mg0000000000000000000001', 3, 'ltx_01mg0000000000000000000003', '2026-11-15T10:00:00Z', 'scheduled', 'cash', 'usd', 6000, 0, 6000, 'paid', null, 'pay_01mg0000000000000000000001', 'system');
