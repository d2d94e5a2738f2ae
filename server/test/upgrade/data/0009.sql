-- Leads in every state, deleted and erased ones too, rules of an account that are half applied, and what a contact was before a lead added to it.
insert into leads (partner_id, id, account_id, name, phone, email, company, title, country, status, disqualified_reason, score, source, tags, notes, custom,
  owner_id, external_id, activity_count, last_activity_at, created_at, updated_at, version)
select 'ptr_01m70000000000000000000001', 'lead_01m9' || lpad(i::text, 22, '0'), 'cli_01m70000000000000000000002', nullif('Lead ' || i, 'Lead 3'),
  '+4930' || 2000000 + i, 'Lead' || i || '@example.com', nullif('Company ' || i % 3, 'Company 0'), 'Owner', 'DE',
  (array['new', 'working', 'qualified', 'disqualified'])[1 + i % 4], case i % 4 when 3 then 'No budget' end, i * 5,
  '{"kind": "form", "name": "Contact form", "utm": {"campaign": "spring-sale"}}', array['row ' || i], E'tab\there', '{}',
  'usr_01m70000000000000000000001', 'lead-ext-' || i, i % 3, '2026-11-02T08:00:00Z', '2026-11-01T08:00:00Z', '2026-11-02T08:00:00.123Z', 1 + i % 3
from generate_series(1, 12) i;
update leads set status = 'converted', disqualified_reason = null, converted_at = '2026-11-03T08:00:00Z', converted_by = 'key_01m70000000000000000000001',
  contact_id = 'con_01m70000000000000000000002', deal_id = 'deal_01m80000000000000000000001',
  conversion = '{"status": "qualified", "contact": "filled", "contact_version": 3, "deal_version": 2}' where id = 'lead_01m90000000000000000000002';
update leads set status = 'converted', disqualified_reason = null, converted_at = '2026-11-03T08:00:00Z', converted_by = 'key_01m70000000000000000000001',
  contact_id = 'con_01m70000000000000000000005', conversion = case id when 'lead_01m90000000000000000000005'
    then jsonb '{"status": "qualified", "contact": "filled", "contact_version": 3, "deal_version": null}'
    else '{"status": "working", "contact": "found", "contact_version": 3, "deal_version": null}' end
where id in ('lead_01m90000000000000000000005', 'lead_01m90000000000000000000006');
update leads set deleted_at = '2026-11-03T08:00:00Z' where id = 'lead_01m90000000000000000000010';
update leads set deleted_at = '2026-11-03T08:00:00Z', erased_at = '2026-11-03T08:00:00Z', name = null, phone = null, email = null, company = null,
  title = null, country = null, disqualified_reason = null, source = '{"kind": "form"}', tags = '{}', notes = null, custom = '{}', owner_id = null,
  external_id = null where id = 'lead_01m90000000000000000000012';
insert into lead_scoring (partner_id, account_id, rules, rescored_to, updated_at, version) values
  ('ptr_01m70000000000000000000001', 'cli_01m70000000000000000000002', '[{"name": "Can be called", "field": "phone", "op": "exists", "points": 20}]',
    'lead_01m90000000000000000000004', '2026-11-03T08:00:00Z', 2);
insert into contact_images (partner_id, contact_id, version, before, created_at) values
  ('ptr_01m70000000000000000000001', 'con_01m70000000000000000000002', 3, '{"name": "Person 2", "company": null}', '2026-11-03T08:00:00Z'),
  ('ptr_01m70000000000000000000001', 'con_01m70000000000000000000005', 3, '{"name": "Before the lead", "company": null}', '2026-11-03T08:00:00Z'),
  ('ptr_01m70000000000000000000001', 'con_01m70000000000000000000004', 1, '{"name": "Of no lead"}', '2026-11-03T08:00:00Z');
