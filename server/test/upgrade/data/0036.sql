-- A text that agents can look up.
insert into knowledge_sources (partner_id, id, account_id, key, kind, name, language, text, bytes, sha256, status, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'kns_01mp0000000000000000000001', 'cli_01m70000000000000000000002', 'opening-hours', 'text', 'Opening hours', 'en', 'We are open from 9 to 17.', 25, '00', 'ready',
    '2026-11-19T08:00:00Z', '2026-11-19T08:00:00Z');
insert into knowledge_chunks (partner_id, account_id, source_id, number, language, heading, text) values
  ('ptr_01m70000000000000000000001', 'cli_01m70000000000000000000002', 'kns_01mp0000000000000000000001', 1, 'en', '', 'We are open from 9 to 17.');
