-- Links: one of the partner that has sales, with its code, a click, a day of it, and a lead that came by it.
insert into affiliate_links (partner_id, id, code, code_key, destination_url, window_days, status, created_by, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'lnk_01mg0000000000000000000001', 'Spring', 'spr1ng', 'https://shop.example/', 90, 'active', 'system', '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
insert into link_codes (code_key, code, partner_id, link_id, destination_url, window_days, status) values
  ('spr1ng', 'Spring', 'ptr_01m70000000000000000000001', 'lnk_01mg0000000000000000000001', 'https://shop.example/', 90, 'active');
insert into clicks (partner_id, id, link_id, visitor, repeat) values
  ('ptr_01m70000000000000000000001', 'clk_01mg0000000000000000000001', 'lnk_01mg0000000000000000000001', '\x00', false);
insert into link_days (partner_id, link_id, day, clicks, visitors, bots, repeats) values
  ('ptr_01m70000000000000000000001', 'lnk_01mg0000000000000000000001', '2026-11-16', 1, 1, 0, 0);
insert into click_salts (day, salt) values ('2026-11-16', '\x00');
insert into attributions (partner_id, record_id, kind, link_id, click_id, clicked_at, created_at) values
  ('ptr_01m70000000000000000000001', 'lead_01m90000000000000000000004', 'lead', 'lnk_01mg0000000000000000000001', 'clk_01mg0000000000000000000001', '2026-11-16T08:00:00Z', '2026-11-16T08:00:00Z');
