-- What a link was sent with, and when its payer is reminded.
update payment_links set language = 'de', remind = '{"days": [-3, 1]}', due_on = '2026-11-30'
where partner_id = 'ptr_01m70000000000000000000001' and id = 'plk_01mk0000000000000000000001';
insert into payment_messages (partner_id, link_id, message_id, channel, reminder, created_at) values
  ('ptr_01m70000000000000000000001', 'plk_01mk0000000000000000000001', 'msg_01mk0000000000000000000001', 'sms', false, '2026-11-16T08:00:00Z');
insert into payment_reminders (partner_id, link_id, at, state, reason) values
  ('ptr_01m70000000000000000000001', 'plk_01mk0000000000000000000001', '2026-11-27T10:00:00Z', 'planned', null),
  ('ptr_01m70000000000000000000001', 'plk_01mk0000000000000000000001', '2026-12-01T10:00:00Z', 'skipped', 'paid');
