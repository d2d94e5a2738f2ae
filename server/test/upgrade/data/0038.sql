-- A test of an agent and a run of it.
insert into agent_tests (partner_id, id, account_id, agent_id, name, request, created_by, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'tst_01mq0000000000000000000001', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 'Says hello', '{"messages": [{"text": "Hi"}]}',
    'usr_01m70000000000000000000001', '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z');
insert into agent_test_runs (partner_id, id, account_id, agent_id, agent_version, sha256, status, tests, results, total, passed, created_by, created_at, finished_at) values
  ('ptr_01m70000000000000000000001', 'trun_01mq0000000000000000000001', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 1, '0', 'passed', '[]', '[]', 1, 1,
    'usr_01m70000000000000000000001', '2026-11-18T08:00:00Z', '2026-11-18T08:00:01Z');
