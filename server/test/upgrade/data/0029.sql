-- The inbox: a channel with its token, a conversation with a message in, one out that waits and one that was sent, and what belongs to them.
insert into channels (partner_id, id, account_id, kind, name, config, secrets, token, per_minute, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'chn_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'sms', 'Texts', '{"from": "+15550100000"}', '\x00', '0000000000001', 60,
    '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
insert into public_tokens (token, kind, partner_id, target_id) values
  ('0000000000001', 'hook', 'ptr_01m70000000000000000000001', 'chn_01mk0000000000000000000001');
insert into opt_outs (partner_id, account_id, kind, address_hash, at) values
  ('ptr_01m70000000000000000000001', 'cli_01m70000000000000000000002', 'sms', '\x00', '2026-11-16T08:00:00Z');
insert into mailboxes (partner_id, channel_id) values ('ptr_01m70000000000000000000001', 'chn_01mk0000000000000000000001');
insert into conversations (partner_id, id, account_id, channel_id, channel_kind, address, person_id, reply_token, last_ordinal, last_message_id, last_message_at, last_inbound_at, unread, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'cnv_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'chn_01mk0000000000000000000001', 'sms', '+49301000001', 'con_01m70000000000000000000001',
    '0000000000002', 3, 'msg_01mk0000000000000000000003', '2026-11-16T08:02:00Z', '2026-11-16T08:00:00Z', 1, '2026-11-16T08:00:00Z', '2026-11-16T08:02:00Z');
insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text, status, status_at, provider_id, created_at) values
  ('ptr_01m70000000000000000000001', 'msg_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'cnv_01mk0000000000000000000001', 'chn_01mk0000000000000000000001', 1, 'in', 'text',
    'contact', 'con_01m70000000000000000000001', 'Are you open?', 'received', '2026-11-16T08:00:00Z', 'SM1', '2026-11-16T08:00:00Z'),
  ('ptr_01m70000000000000000000001', 'msg_01mk0000000000000000000002', 'cli_01m70000000000000000000002', 'cnv_01mk0000000000000000000001', 'chn_01mk0000000000000000000001', 2, 'out', 'text',
    'user', 'usr_01m70000000000000000000001', 'Until six.', 'sent', '2026-11-16T08:01:00Z', 'SM2', '2026-11-16T08:01:00Z'),
  ('ptr_01m70000000000000000000001', 'msg_01mk0000000000000000000003', 'cli_01m70000000000000000000002', 'cnv_01mk0000000000000000000001', 'chn_01mk0000000000000000000001', 3, 'out', 'text',
    'user', 'usr_01m70000000000000000000001', 'Today until four.', 'queued', '2026-11-16T08:02:00Z', null, '2026-11-16T08:02:00Z');
insert into message_sends (partner_id, message_id, account_id, conversation_id, channel_id, ordinal, next_at) values
  ('ptr_01m70000000000000000000001', 'msg_01mk0000000000000000000003', 'cli_01m70000000000000000000002', 'cnv_01mk0000000000000000000001', 'chn_01mk0000000000000000000001', 3, '2026-11-16T08:02:00Z');
insert into message_attempts (partner_id, message_id, number, started_at, duration_ms, outcome) values
  ('ptr_01m70000000000000000000001', 'msg_01mk0000000000000000000002', 1, '2026-11-16T08:01:00Z', 12, 'accepted');
insert into parked_statuses (partner_id, channel_id, provider_id, status, at, created_at) values
  ('ptr_01m70000000000000000000001', 'chn_01mk0000000000000000000001', 'SM3', 'delivered', '2026-11-16T08:02:00Z', '2026-11-16T08:02:00Z');
insert into attachments (partner_id, id, account_id, message_id, name, media_type, bytes, sha256, created_at) values
  ('ptr_01m70000000000000000000001', 'att_01mk0000000000000000000001', 'cli_01m70000000000000000000002', 'msg_01mk0000000000000000000001', 'note.txt', 'text/plain', 1,
    '\x00', '2026-11-16T08:00:00Z');
insert into attachment_chunks (partner_id, attachment_id, number, bytes) values
  ('ptr_01m70000000000000000000001', 'att_01mk0000000000000000000001', 0, '\x41');
