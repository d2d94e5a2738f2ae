-- A lead of an import that was rescored twice since.
insert into leads (partner_id, id, account_id, name, email, status, score, source, last_activity_at, created_at, updated_at, version, rescored) values
  ('ptr_01m70000000000000000000001', 'lead_01mg0000000000000000000051', 'cli_01m70000000000000000000002', 'Rescored', 'rescored@example.com', 'new', 20,
    '{"kind": "import"}', '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z', '2026-11-19T08:00:00Z', 3, 2);
