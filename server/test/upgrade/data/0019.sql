-- An account whose default pipeline is not created yet.
insert into clients (partner_id, id, house, company, currency, status, status_changed_at, activated_at, created_at, updated_at) values
  ('ptr_01mg0000000000000000000001', 'cli_01mg0000000000000000000002', false, 'Fjord Bakery', 'usd', 'active', '2026-11-07T08:00:00Z',
    '2026-11-07T08:00:00Z', '2026-11-07T08:00:00Z', '2026-11-07T08:00:00Z');
insert into pipelines_due (partner_id, account_id) values ('ptr_01mg0000000000000000000001', 'cli_01mg0000000000000000000002');
