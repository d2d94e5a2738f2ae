-- A conversation whose person waits.
insert into conversations (partner_id, id, account_id, channel_id, channel_kind, address, person_id, reply_token, last_ordinal, last_message_at, last_inbound_at, unread, waiting_since, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'cnv_01mk0000000000000000000041', 'cli_01m70000000000000000000002', 'chn_01mk0000000000000000000001', 'sms', '+49301000041', 'con_01m70000000000000000000001',
    '0000000000041', 0, '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z', 1, '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z');
