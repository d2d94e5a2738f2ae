-- Snapshots: one of the partner that has sales, in one version, installed at its first client.
insert into snapshots (partner_id, id, owner_partner_id, name, status, currency, latest_version, created_by, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'snap_01mh0000000000000000000001', 'ptr_01m70000000000000000000001', 'Starter', 'published', 'usd', 1, 'system', '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
insert into snapshot_contents (partner_id, sha256, manifest) values
  ('ptr_01m70000000000000000000001', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', '{"assets":[],"format":1}');
insert into snapshot_versions (partner_id, snapshot_id, version, sha256, changelog, asset_counts, created_by, created_at) values
  ('ptr_01m70000000000000000000001', 'snap_01mh0000000000000000000001', 1, '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', null, '{}', 'system', '2026-11-16T08:00:00Z');
-- A rollout of it to nobody else, which has ended.
insert into rollouts (partner_id, id, snapshot_id, snapshot_version, target, policy, dry_run, canary_members, max_failure_percent, status, total, counts, canary_counts, worked_for, created_by, created_at, updated_at, finished_at) values
  ('ptr_01m70000000000000000000001', 'roll_01mh0000000000000000000001', 'snap_01mh0000000000000000000001', 1, '"all"', 'merge', false, 0, 5, 'completed', 0, '{}', '{}', 'system', 'system', '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z', '2026-11-16T08:00:01Z');
