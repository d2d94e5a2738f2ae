-- A claim that a churned client has released.
insert into registration_claims (kind, value, partner_id, deal_id, client_id, until) values
  ('name', 'released by churn', 'ptr_01m70000000000000000000001', 'deal_01ma0000000000000000000007', 'cli_01m70000000000000000000003', '2026-11-06T08:00:00Z');
