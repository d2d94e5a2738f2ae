-- Money: a plan, a certification that a partner holds, its grades, a won sale that was paid and partly refunded.
insert into plans (id, name, prices, state, created_at, updated_at) values
  ('pln_01mg0000000000000000000001', 'Growth 2026', '{"usd": 4900}', 'active', '2026-11-15T08:00:00Z', '2026-11-15T08:00:00Z');
insert into certifications (id, name, lifts_to, created_at, updated_at) values
  ('crt_01mg0000000000000000000001', 'Sales', 'silver', '2026-11-15T08:00:00Z', '2026-11-15T08:00:00Z');
insert into certification_grants (partner_id, id, certification_id, granted_by, granted_at) values
  ('ptr_01mg0000000000000000000001', 'crg_01mg0000000000000000000001', 'crt_01mg0000000000000000000001', 'system', '2026-11-15T08:00:00Z');
insert into tier_changes (partner_id, id, at, previous_grade, grade, direction, reason, actor_id) values
  ('ptr_01mg0000000000000000000001', 'trc_01mg0000000000000000000001', '2026-11-15T08:00:00Z', 'registered', 'silver', 'up', 'manual', 'system');
insert into books (partner_id) values ('ptr_01mg0000000000000000000001');
