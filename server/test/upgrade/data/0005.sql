-- An endpoint with two secrets and sealed headers, deliveries in every state with their attempts, a replay under way.
insert into webhook_endpoints (partner_id, id, url, event_types, client_ids, headers, created_by, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'whe_01m70000000000000000000001', 'https://hooks.example/in', '{client.created,client.churned}',
    '{cli_01m70000000000000000000002}', '\x01ff00', 'key_01m70000000000000000000001', '2026-10-25T08:00:00Z', '2026-10-25T08:00:00Z');
insert into webhook_secrets (partner_id, endpoint_id, secret, hint, created_at, expires_at) values
  ('ptr_01m70000000000000000000001', 'whe_01m70000000000000000000001', '\x01aa', 'aaaa', '2026-10-25T08:00:00Z', '2026-10-26T08:00:00Z'),
  ('ptr_01m70000000000000000000001', 'whe_01m70000000000000000000001', '\x01bb', 'bbbb', '2026-10-25T09:00:00Z', null);
insert into webhook_workers (id, alive_until) values ('worker-1', '2026-10-25T09:00:00Z');
insert into webhook_lanes (partner_id, endpoint_id, owner, epoch, state, degraded_at, failures) values
  ('ptr_01m70000000000000000000001', 'whe_01m70000000000000000000001', 'worker-1', 7, 'degraded', '2026-10-25T08:30:00Z', 5);
insert into deliveries (partner_id, id, endpoint_id, event_id, event_type, status, attempts, next_at, finished_at, response_status, error)
select 'ptr_01m70000000000000000000001', 'dlv_01m7' || lpad(i::text, 22, '0'), 'whe_01m70000000000000000000001',
  'evt_01m70000000000000000000003', 'client.created', (array['pending', 'succeeded', 'failed', 'cancelled'])[1 + i % 4], i, '2026-10-25T09:00:00Z', null, 500, 'status'
from generate_series(1, 12) i;
insert into delivery_attempts (partner_id, delivery_id, endpoint_id, number, started_at, duration_ms, status, error, response)
select partner_id, id, endpoint_id, n, '2026-10-25T08:00:00Z', 15, 500, 'status', E'tab\there' from deliveries, generate_series(1, 2) n;
insert into webhook_replays (partner_id, id, endpoint_id, request, cursor, total, queued, created_by, created_at) values
  ('ptr_01m70000000000000000000001', 'rpl_01m70000000000000000000001', 'whe_01m70000000000000000000001', '{"since": "2026-10-01"}', 'x', 12, 5, 'key_01m70000000000000000000001', '2026-10-25T08:00:00Z');
