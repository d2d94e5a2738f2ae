-- A link that was blocked after it had been archived.
insert into affiliate_links (partner_id, id, code, code_key, destination_url, window_days, status, archived_before_block, created_by, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'lnk_01mg0000000000000000000048', 'Winter', 'w1nter', 'https://shop.example/', 90, 'blocked', true, 'system', '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z');
insert into link_codes (code_key, code, partner_id, link_id, destination_url, window_days, status) values
  ('w1nter', 'Winter', 'ptr_01m70000000000000000000001', 'lnk_01mg0000000000000000000048', 'https://shop.example/', 90, 'blocked');
