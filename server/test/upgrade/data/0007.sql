-- Fields of an account, contacts that live, were deleted, merged and erased, their consents and notes, a change feed half placed.
insert into custom_fields (partner_id, id, account_id, resource, key, label, type, options, required, archived, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'cfd_01m70000000000000000000001', 'cli_01m70000000000000000000002', 'contact', 'shoe_size', 'Shoe size', 'select',
    '{41,42}', false, false, '2026-11-01T08:00:00Z', '2026-11-01T08:00:00Z'),
  ('ptr_01m70000000000000000000001', 'cfd_01m70000000000000000000002', 'cli_01m70000000000000000000002', 'contact', 'birthday', 'Birthday', 'date',
    '{}', false, true, '2026-11-01T08:00:00Z', '2026-11-02T08:00:00.123Z');
insert into contacts (partner_id, id, account_id, name, phone, email, company, tags, notes, custom, owner_id, external_id, consent, created_at, updated_at, version)
select 'ptr_01m70000000000000000000001', 'con_01m7' || lpad(i::text, 22, '0'), 'cli_01m70000000000000000000002', 'Person ' || i, '+4930' || 1000000 + i,
  'Person' || i || '@example.com', nullif('Company ' || i % 3, 'Company 0'), array['vip', 'row ' || i], E'tab\there', '{"shoe_size": "41"}',
  'usr_01m70000000000000000000001', 'ext-' || i, '{"sms": {"status": "granted", "source": "form", "at": "2026-11-01T08:00:00.000Z"}}',
  '2026-11-01T08:00:00Z', '2026-11-02T08:00:00.123Z', 1 + i % 3
from generate_series(1, 12) i;
update contacts set deleted_at = '2026-11-03T08:00:00Z' where id = 'con_01m70000000000000000000010';
update contacts set deleted_at = '2026-11-03T08:00:00Z', merged_into = 'con_01m70000000000000000000001' where id = 'con_01m70000000000000000000011';
update contacts set deleted_at = '2026-11-03T08:00:00Z', erased_at = '2026-11-03T08:00:00Z', name = '', phone = null, email = null, company = null,
  tags = '{}', notes = null, custom = '{}', owner_id = null, external_id = null, consent = '{}' where id = 'con_01m70000000000000000000012';
insert into contact_merges (partner_id, id, account_id, into_id, from_id, into_before, from_before, into_version, from_version, created_at) values
  ('ptr_01m70000000000000000000001', 'mrg_01m70000000000000000000001', 'cli_01m70000000000000000000002', 'con_01m70000000000000000000001',
    'con_01m70000000000000000000011', '{"name": "Person 1"}', '{"name": "Person 11"}', 2, 3, '2026-11-03T08:00:00Z');
insert into contact_consents (partner_id, id, contact_id, channel, status, source, at, recorded_at)
select partner_id, replace(id, 'con_', 'cns_'), id, 'sms', 'granted', 'form', '2026-11-01T08:00:00Z', '2026-11-01T08:00:01Z'
from contacts where erased_at is null;
insert into record_notes (partner_id, id, account_id, record_id, body, author_id, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'note_01m70000000000000000000001', 'cli_01m70000000000000000000002', 'con_01m70000000000000000000001',
    E'Called.\nWill call again.', 'key_01m70000000000000000000001', '2026-11-02T08:00:00Z', '2026-11-02T08:00:00Z');
insert into change_feed (partner_id, change_id, resource, account_id, subject, subject_version, change, transaction_id, ordinal, seq)
select partner_id, replace(id, 'con_', 'chg_'), 'contact', account_id, id, version, 'created', replace(id, 'con_', 'chg_'), 0,
  case when row_number() over (order by id) <= 8 then row_number() over (order by id) end
from contacts;
insert into change_heads (partner_id, seq, trimmed_seq) values ('ptr_01m70000000000000000000001', 8, 1);
delete from change_feed where seq = 1;
update clients set shared_phones = true where id = 'cli_01m70000000000000000000002';
