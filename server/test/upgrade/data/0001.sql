-- An installation of that time: a programme, two partners, their people, a key whose secret is known, clients in every state.
insert into programme (first_run_at) values ('2026-10-01T08:00:00Z');

insert into partners (id, parent_id, company, grade, status, api_access, branding, currency, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', null, 'Northwind Agency', 'gold', 'active', true,
    '{"product_name": "Northwind CRM", "primary_color": "#204080"}', 'eur', '2026-10-01T08:00:00Z', '2026-10-02T08:00:00Z'),
  ('ptr_01m70000000000000000000002', 'ptr_01m70000000000000000000001', 'Südwind', 'registered', 'suspended', false,
    '{}', 'usd', '2026-10-03T08:00:00Z', '2026-10-03T08:00:00Z');

insert into users (id, partner_id, email, name, role, password_hash, created_at, updated_at) values
  ('usr_01m70000000000000000000001', 'ptr_01m70000000000000000000001', 'owner@northwind.example', 'Ada', 'owner', 'x', '2026-10-01T08:00:00Z', '2026-10-01T08:00:00Z'),
  ('usr_01m70000000000000000000002', null, 'operator@tributary.example', 'Grace', 'operator', 'x', '2026-10-01T08:00:00Z', '2026-10-01T08:00:00Z');

insert into keys (id, partner_id, name, hash, hint, scopes, clients, created_by, created_at) values
  ('key_01m70000000000000000000001', 'ptr_01m70000000000000000000001', 'Everything',
    sha256('trb_bGanuKR1Pz7VBOkB2cMRec09G54efLFY2Mj73S'), '73S',
    '{account:read,account:write,clients:read,clients:write,keys:read,keys:write,events:read,audit:read}', null, 'system', '2026-10-01T08:00:00Z'),
  ('key_01m70000000000000000000002', 'ptr_01m70000000000000000000001', 'One client', sha256('another'), 'ther',
    '{clients:read}', '{cli_01m70000000000000000000001}', 'system', '2026-10-01T08:00:00Z');

insert into clients (partner_id, id, house, company, external_id, contact, plan, mrr_cents, currency, status, status_reason,
  status_changed_at, branding, metadata, activated_at, suspended_at, churned_at, created_at, updated_at, version)
select 'ptr_01m70000000000000000000001', 'cli_01m7' || lpad(i::text, 22, '0'), i = 1, 'Client ' || i, 'ext-' || i,
  jsonb_build_object('name', 'Person ' || i, 'email', 'person' || i || '@example.com'), 'Growth', i * 1000, 'eur',
  case when i = 1 then 'active' else (array['pending', 'active', 'suspended', 'churned'])[1 + i % 4] end, null, '2026-10-05T08:00:00.123Z', null,
  jsonb_build_object('row', i::text), null, null, null, '2026-10-04T08:00:00Z', '2026-10-05T08:00:00.123Z', 1 + i % 3
from generate_series(1, 40) i;

insert into events (partner_id, id, body)
select partner_id, replace(id, 'cli_', 'evt_'), convert_to(format(
  '{"id":"%s","type":"client.churned","created":1791000000,"data":{"client_id":"%s","partner_id":"%s","company":"%s","reason":null,"lost_mrr_cents":%s,"lifetime_days":3}}',
  replace(id, 'cli_', 'evt_'), id, partner_id, company, mrr_cents), 'UTF8')
from clients where status = 'churned';

insert into event_feed (partner_id, event_id, type, client_id, subject, subject_version, transaction_id, ordinal, seq)
select e.partner_id, e.id, 'client.churned', replace(e.id, 'evt_', 'cli_'), replace(e.id, 'evt_', 'cli_'), 2, e.id, 0,
  case when row_number() over (order by e.id) <= 8 then row_number() over (order by e.id) end
from events e;
insert into feed_heads (partner_id, seq) values ('ptr_01m70000000000000000000001', 8);

insert into audit_entries (partner_id, id, action, actor_id, client_id, outcome, ip, body, leaf_hash)
select partner_id, id, 'clients.churn', 'system', client_id, 'success', '2001:db8::7', body, sha256('\x00'::bytea || body)
from (select partner_id, replace(id, 'cli_', 'aud_') as id, id as client_id, convert_to(format(
  '{"id":"%s","occurred_at":"2026-10-05T08:00:00.123Z","actor":{"type":"system","id":"system"},"action":"clients.churn","outcome":"success","target":"%s","client_id":"%s","changes":null,"count":1,"code":null,"request_id":null,"nonce":"x"}',
  replace(id, 'cli_', 'aud_'), id, id), 'UTF8') as body from clients where status = 'churned') entries;

insert into idempotency_replies (partner_id, actor_id, key, fingerprint, status, headers, body, sealed, created_at) values
  ('ptr_01m70000000000000000000001', 'key_01m70000000000000000000001', 'sent-before', sha256('x'), 201, '{}', '\x7b7d', false, now());
