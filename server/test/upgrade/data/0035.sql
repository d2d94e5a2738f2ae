-- Billing: a provider, a link that was paid in part, the attempt and its payment, a refund, and what belongs to them.
insert into payment_providers (partner_id, id, account_id, kind, name, config, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'ppr_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'test', 'Trial', '{}', '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
insert into public_tokens (token, kind, partner_id, target_id) values
  ('0000000000031', 'pay', 'ptr_01m70000000000000000000001', 'plk_01mk0000000000000000000001');
insert into payment_links (partner_id, id, account_id, contact_id, customer, description, currency, total_cents, usage, limit_cents, paid_cents, refunded_cents, status, expires_at, timezone, partial, provider_id, token,
    created_by, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'plk_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'con_01m70000000000000000000001', '{"name": "Ada", "phone": null, "email": null}', 'Invoice 1', 'usd', 10000,
    'single', 10000, 4000, 1000, 'partially_paid', '2026-12-16T08:00:00Z', 'UTC', '{}', 'ppr_01mk0000000000000000000001', '0000000000031', 'system', '2026-11-16T08:00:00Z', '2026-11-16T08:02:00Z');
insert into payment_attempts (partner_id, id, account_id, link_id, provider_id, provider_kind, provider_ref, amount_cents, currency, state, form_nonce, payer, created_at, state_at, next_look_at) values
  ('ptr_01m70000000000000000000001', 'pat_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'plk_01mk0000000000000000000001', 'ppr_01mk0000000000000000000001', 'test', 'pat_01mk0000000000000000000001',
    4000, 'usd', 'succeeded', '0000000000032', '{"name": "Ada", "email": null, "answers": {}}', '2026-11-16T08:01:00Z', '2026-11-16T08:02:00Z', '2026-11-16T08:03:00Z');
insert into test_sessions (partner_id, id, state, card_last4, created_at) values
  ('ptr_01m70000000000000000000001', 'pat_01mk0000000000000000000001', 'succeeded', '4242', '2026-11-16T08:01:00Z');
insert into payments (partner_id, id, account_id, link_id, attempt_id, contact_id, provider_id, provider_kind, provider_ref, amount_cents, tip_cents, refunded_cents, currency, status, method, method_hint, payer,
    receipt_number, live, paid_at, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'pmt_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'plk_01mk0000000000000000000001', 'pat_01mk0000000000000000000001', 'con_01m70000000000000000000001',
    'ppr_01mk0000000000000000000001', 'test', 'pat_01mk0000000000000000000001', 4000, 0, 1000, 'usd', 'partially_refunded', 'card', '4242', '{"name": "Ada", "email": null, "answers": {}}', 'TEST-000001', false,
    '2026-11-16T08:02:00Z', '2026-11-16T08:02:00Z', '2026-11-16T08:04:00Z');
insert into payment_refunds (partner_id, id, account_id, payment_id, amount_cents, reason, status, created_by, created_at, status_at, next_look_at) values
  ('ptr_01m70000000000000000000001', 'rfd_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'pmt_01mk0000000000000000000001', 1000, 'Sorry', 'succeeded', 'system', '2026-11-16T08:03:00Z',
    '2026-11-16T08:04:00Z', '2026-11-16T08:05:00Z');
insert into receipt_counters (partner_id, account_id, live, last) values ('ptr_01m70000000000000000000001', 'cli_01m70000000000000000000002', false, 1);
