-- Providers: one of the operator, what it has told, and the dispute of a payment.
insert into programme_providers (id, kind, name, config, live, created_at, updated_at) values
  ('ppr_01mk0000000000000000000002', 'test', 'Trial', '{}', false, '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
insert into provider_events (partner_id, provider_id, event_id, type, handled_at) values
  ('operator', 'ppr_01mk0000000000000000000002', 'evt_1', 'checkout.session.completed', '2026-11-16T08:05:00Z');
insert into payment_disputes (partner_id, id, account_id, payment_id, provider_ref, amount_cents, reason, status, created_at, decided_at) values
  ('ptr_01m70000000000000000000001', 'dsp_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'pmt_01mk0000000000000000000001', 'dp_1', 4000, 'fraudulent', 'won', '2026-11-16T08:06:00Z',
    '2026-11-16T08:07:00Z');
