-- A saved view.
insert into views (partner_id, id, account_id, page, name, query, created_by, created_at, updated_at) values
  ('ptr_01mg0000000000000000000001', 'view_01mg0000000000000000000001', null, 'clients', 'At risk', 'status=suspended', 'usr_01mg0000000000000000000001',
    '2026-11-15T08:00:00Z', '2026-11-15T08:00:00Z');
