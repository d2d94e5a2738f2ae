-- An attempt of somebody who reads German.
insert into payment_attempts (partner_id, id, account_id, link_id, provider_id, provider_kind, amount_cents, currency, state, failure, payer, language, created_at, state_at, next_look_at) values
  ('ptr_01m70000000000000000000001', 'pat_01mk0000000000000000000042', 'cli_01m70000000000000000000002', 'plk_01mk0000000000000000000001', 'ppr_01mk0000000000000000000001', 'test',
    4000, 'usd', 'failed', 'The card was declined.', '{"name": "Ada", "email": null, "answers": {}}', 'de', '2026-11-18T08:00:00Z', '2026-11-18T08:01:00Z', '2026-11-18T08:02:00Z');
