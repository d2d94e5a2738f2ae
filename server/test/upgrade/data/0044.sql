-- A conversation by e-mail with tags.
insert into channels (partner_id, id, account_id, kind, name, status, config, token, per_minute, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'chn_01mk0000000000000000000044', 'cli_01m70000000000000000000002', 'email', 'Post', 'paused', '{}', '0000000000044', 60, '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z');
insert into conversations (partner_id, id, account_id, channel_id, channel_kind, address, person_id, reply_token, tags, last_ordinal, last_message_at, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'cnv_01mk0000000000000000000044', 'cli_01m70000000000000000000002', 'chn_01mk0000000000000000000044', 'email', 'kim@example.com', 'con_01m70000000000000000000001',
    '00000000000000000044', '{urgent}', 0, '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z');
