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
-- It runs at the first client, by a deployment with its plan.
insert into snapshot_plans (partner_id, hash, plan, used_at) values
  ('ptr_01m70000000000000000000001', '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef', '{"plan":{"steps":[],"counts":{"create":0,"update":0,"remove":0,"unchanged":0,"conflict":0}},"undo":[]}', '2026-11-16T08:00:02Z');
insert into deployments (partner_id, id, client_id, snapshot_id, snapshot_version, policy, status, plan_hash, changed, conflicts, created_by, created_at, finished_at) values
  ('ptr_01m70000000000000000000001', 'dep_01mh0000000000000000000001', 'cli_01m70000000000000000000002', 'snap_01mh0000000000000000000001', 1, 'merge', 'succeeded', '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef', '{}', '[]', 'system', '2026-11-16T08:00:02Z', '2026-11-16T08:00:02Z');
insert into snapshot_installs (partner_id, client_id, snapshot_id, version, deployment_id, assets, updated_at) values
  ('ptr_01m70000000000000000000001', 'cli_01m70000000000000000000002', 'snap_01mh0000000000000000000001', 1, 'dep_01mh0000000000000000000001', '{}', '2026-11-16T08:00:02Z');
update clients set snapshots = '[{"snapshot_id": "snap_01mh0000000000000000000001", "version": 1, "status": "installed"}]'
  where partner_id = 'ptr_01m70000000000000000000001' and id = 'cli_01m70000000000000000000002';
