-- A contact that a search finds by the keys of its account.
insert into contacts (partner_id, id, account_id, name, phone, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'con_01mk0000000000000000000045', 'cli_01m70000000000000000000002', 'Sliced Okafor', '+49301000045', '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z');
