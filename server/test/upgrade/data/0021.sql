-- A client that became active, as a movement.
insert into client_movements (partner_id, at, client_id, version, currency, mrr_cents, clients) values
  ('ptr_01mg0000000000000000000001', '2026-11-07T08:00:00Z', 'cli_01mg0000000000000000000002', 2, 'usd', 4900, 1);
