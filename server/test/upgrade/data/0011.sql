-- Imports that are waiting with their file, through with errors and what a revert needs, and a dry run under way.
insert into imports (partner_id, id, account_id, resource, mode, dry_run, status, plan, bytes, total, processed, created, updated, failed, place, row, batches,
  created_by, worked_for, created_at, started_at, finished_at) values
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000001', 'cli_01m70000000000000000000002', 'contact', 'upsert', false, 'completed',
    '{"delimiter": ",", "columns": ["name", "phone"], "mapping": {"name": "name", "phone": "phone"}, "default_country": null}', 60, 3, 3, 1, 1, 1, 60, 4, 1,
    'key_01m70000000000000000000001', 'key_01m70000000000000000000001', '2026-11-05T08:00:00Z', '2026-11-05T08:00:01Z', '2026-11-05T08:00:02.123Z'),
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000002', 'cli_01m70000000000000000000002', 'contact', 'create', true, 'cancelled',
    '{"delimiter": ";", "columns": ["name", "phone"], "mapping": {"name": "name", "phone": "phone"}, "default_country": "DE"}', 60, 3, 0, 0, 0, 0, 11, 1, 0,
    'key_01m70000000000000000000001', 'key_01m70000000000000000000001', '2026-11-05T08:00:00Z', null, '2026-11-05T08:00:02Z');
insert into import_chunks (partner_id, import_id, ordinal, data) values
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000003', 0, '\x6e616d652c70686f6e650a'),
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000003', 1, '\x00ff');
insert into import_batches (partner_id, import_id, ordinal, created) values
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000001', 0, '{con_01m70000000000000000000001}');
insert into import_errors (partner_id, import_id, row, ordinal, column_name, code, detail, value, cells) values
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000001', 3, 0, 'phone', 'invalid_phone', 'phone must be in E.164.', '12', array['Bo "B" Ek', E'12\n']),
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000001', 3, 1, null, 'required', 'name is required.', null, null);
insert into import_identities (partner_id, import_id, identity) values
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000002', '\x00ff17');
insert into record_images (partner_id, source_id, record_id, version, before) values
  ('ptr_01m70000000000000000000001', 'imp_01mb0000000000000000000001', 'con_01m70000000000000000000002', 3, '{"name": "Person 2", "tags": []}');
