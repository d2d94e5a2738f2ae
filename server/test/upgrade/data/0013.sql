-- A contact before a lead was merged into it.
insert into record_images (partner_id, source_id, record_id, version, before) values
  ('ptr_01m70000000000000000000001', 'lead_01m90000000000000000000002', 'con_01m70000000000000000000004', 2, '{"name": "Person 4"}');
