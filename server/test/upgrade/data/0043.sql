-- Another approval that waits, and a source in another language.
insert into tool_approvals (partner_id, id, account_id, agent_id, agent_version, conversation_id, session_id, turn_id, tool, args, expires_at, created_at) values
  ('ptr_01m70000000000000000000001', 'apr_01mr0000000000000000000043', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 1, 'cnv_01mk0000000000000000000001',
    'ses_01mm0000000000000000000001', 'trn_01mm0000000000000000000001', 'add_tag', '{"tag": "warm"}', '2026-11-25T08:00:02Z', '2026-11-18T08:00:02Z');
insert into knowledge_sources (partner_id, id, account_id, key, kind, name, language, text, bytes, sha256, status, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'kns_01mr0000000000000000000043', 'cli_01m70000000000000000000002', 'horaires', 'text', 'Horaires', 'fr', 'Ouvert de 9 h à 17 h.', 22, '00', 'ready',
    '2026-11-19T08:00:00Z', '2026-11-19T08:00:00Z');
