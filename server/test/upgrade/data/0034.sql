-- A run of the sandbox.
insert into sandbox_runs (partner_id, id, account_id, agent_id, agent_version, status, request, result, state, created_by, created_at) values
  ('ptr_01m70000000000000000000001', 'sbx_01mn0000000000000000000001', 'cli_01m70000000000000000000002', 'agt_01mm0000000000000000000001', 1, 'completed', '{}', '{}', '{}',
    'usr_01m70000000000000000000001', '2026-11-18T08:00:00Z');
