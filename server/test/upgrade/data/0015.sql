-- A partner with a house account that its row names.
insert into partners (id, company, house_account_id, created_at, updated_at) values
  ('ptr_01mg0000000000000000000001', 'Fjord Studio', 'cli_01mg0000000000000000000001', '2026-11-06T08:00:00Z', '2026-11-06T08:00:00Z');
insert into clients (partner_id, id, house, company, currency, status, status_changed_at, activated_at, created_at, updated_at) values
  ('ptr_01mg0000000000000000000001', 'cli_01mg0000000000000000000001', true, 'Fjord Studio', 'usd', 'active', '2026-11-06T08:00:00Z',
    '2026-11-06T08:00:00Z', '2026-11-06T08:00:00Z', '2026-11-06T08:00:00Z');
