-- A programme with a name, a suspended partner with its reason, a request for access, a trimmed feed, jobs that ran.
update programme set name = 'Northern programme', default_currency = 'eur', support_email = 'help@tributary.example', updated_at = now(), version = 4;
update partners set suspended_at = '2026-10-20T08:00:00Z', suspension_reason = 'Unpaid' where status = 'suspended';
insert into access_requests (partner_id, id, status, message, requested_by, created_at) values
  ('ptr_01m70000000000000000000002', 'acr_01m70000000000000000000001', 'open', 'Please', 'usr_01m70000000000000000000001', '2026-10-20T08:00:00Z');
update feed_heads set trimmed_seq = 1;
delete from event_feed where seq = 1;
insert into job_runs (name, runs, failures, started_at, finished_at, duration_ms, outcome) values
  ('partitions', 3, 1, '2026-10-20T03:20:00Z', '2026-10-20T03:20:01Z', 1000, '0 partitions added');
