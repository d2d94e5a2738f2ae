-- A visitor of the link on another day, who came twice.
insert into link_visitors (partner_id, day, link_id, visitor, last_id, before_id) values
  ('ptr_01m70000000000000000000001', '2026-11-17', 'lnk_01mg0000000000000000000001', '\x01', 'clk_01mg0000000000000000000003', 'clk_01mg0000000000000000000002');
