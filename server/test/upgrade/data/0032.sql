-- An agent that answers by its published version.
insert into agents (partner_id, id, account_id, name, status, mode, limits, latest_version, published_version, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'agt_01mm0000000000000000000001', 'cli_01m70000000000000000000002', 'Nora', 'active', 'autopilot', '{"turns_per_session": 50}', 1, 1,
    '2026-11-17T08:00:00Z', '2026-11-17T08:00:00Z');
insert into agent_versions (partner_id, agent_id, number, content, sha256, created_by, created_at, updated_at, published_by, published_at) values
  ('ptr_01m70000000000000000000001', 'agt_01mm0000000000000000000001', 1, '{"engine": "playbook", "playbook": {"start": "hello", "states": {"hello": {"go": "@handoff"}}}}', '00',
    'usr_01m70000000000000000000001', '2026-11-17T08:00:00Z', '2026-11-17T08:00:00Z', 'usr_01m70000000000000000000001', '2026-11-17T08:00:00Z');
