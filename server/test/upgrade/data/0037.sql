-- The use of a tool that waits for somebody who approves it.
insert into tool_approvals (partner_id, id, account_id, agent_id, agent_version, conversation_id, session_id, turn_id, tool, args, expires_at, created_at) values
  ('ptr_01m70000000000000000000001', 'apr_01mq0000000000000000000001', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 1, 'cnv_01mk0000000000000000000001',
    'ses_01mm0000000000000000000001', 'trn_01mm0000000000000000000001', 'add_tag', '{"tag": "hot"}', '2026-11-24T08:00:02Z', '2026-11-17T08:00:02Z');
