-- An attempt with the headers that it was sent with.
insert into delivery_attempts (partner_id, delivery_id, endpoint_id, number, started_at, duration_ms, status, request_headers) values
  ('ptr_01m70000000000000000000001', 'dlv_01m70000000000000000000001', 'whe_01m70000000000000000000001', 3, '2026-11-08T08:00:00Z', 12, 200,
    '{"X-Service-Signature": "t=1,v1=aa"}');
