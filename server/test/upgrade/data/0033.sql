-- A session that waits for the person, a turn that is over and one that waits.
insert into agent_sessions (partner_id, id, account_id, agent_id, agent_version, conversation_id, channel_kind, status, memory, turns, last_ordinal, started_at, last_turn_at) values
  ('ptr_01m70000000000000000000001', 'ses_01mm0000000000000000000001', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 1, 'cnv_01mk0000000000000000000001', 'sms', 'waiting', '{}', 1, 1,
    '2026-11-17T08:00:00Z', '2026-11-17T08:00:00Z');
insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, session_id, state, run_at, token, upto_ordinal, attempts, latency_ms, created_at, finished_at) values
  ('ptr_01m70000000000000000000001', 'trn_01mm0000000000000000000001', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 'cnv_01mk0000000000000000000001', 'ses_01mm0000000000000000000001',
    'done', '2026-11-17T08:00:02Z', 1, 1, 1, 12, '2026-11-17T08:00:00Z', '2026-11-17T08:00:02Z'),
  ('ptr_01m70000000000000000000001', 'trn_01mm0000000000000000000002', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 'cnv_01mk0000000000000000000001', null,
    'queued', '2026-11-17T09:00:00Z', null, null, 0, null, '2026-11-17T08:00:02Z', null);
