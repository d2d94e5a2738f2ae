-- Tags and templates of an account, one archived, and a view that came with a snapshot.
insert into account_tags (partner_id, id, account_id, name, description, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'tag_01mj0000000000000000000001', 'cli_01m70000000000000000000002', 'VIP', 'Answers within an hour.',
    '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
insert into message_templates (partner_id, id, account_id, name, channel, subject, text, archived, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'tpl_01mj0000000000000000000001', 'cli_01m70000000000000000000002', 'Welcome', 'email', 'Hello', 'Dear {{contact.name}}', false,
    '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z'),
  ('ptr_01m70000000000000000000001', 'tpl_01mj0000000000000000000002', 'cli_01m70000000000000000000002', 'Welcome', 'any', null, 'Hi', true,
    '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
insert into views (partner_id, id, account_id, page, name, query, shared, created_by, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'view_01mj0000000000000000000001', 'cli_01m70000000000000000000002', 'contacts', 'VIPs', 'tag=VIP', true, null,
    '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
