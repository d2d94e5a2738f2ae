-- Keys with limits and a rotation under way, people who were invited, clients with tags.
update keys set expires_at = '2031-01-01T00:00:00Z', allowed_cidrs = '{10.0.0.0/8,2001:db8::/32}', last_used_at = '2026-10-10T08:00:00Z',
  previous_hash = sha256('before'), previous_hash_until = '2026-10-11T08:00:00Z' where id = 'key_01m70000000000000000000002';
update partners set default_snapshots = '{snap_a,snap_b}' where parent_id is null;
insert into users (id, partner_id, email, name, role, created_at, updated_at, state, clients) values
  ('usr_01m70000000000000000000003', 'ptr_01m70000000000000000000001', 'invited@northwind.example', 'Alan', 'member',
    '2026-10-10T08:00:00Z', '2026-10-10T08:00:00Z', 'invited', '{cli_01m70000000000000000000002}');
update clients set tags = array['vip', 'row ' || (metadata ->> 'row')] where not house;
insert into audit_entries (partner_id, id, action, actor_id, outcome, body, leaf_hash, tallied)
select 'ptr_01m70000000000000000000001', 'aud_01m70000000000000000009999', 'clients.list', 'system', 'success', body, sha256('\x00'::bytea || body), true
from (select convert_to('{"id":"aud_01m70000000000000000009999","occurred_at":"2026-10-10T08:00:00.000Z","actor":{"type":"system","id":"system"},"action":"clients.list","outcome":"success","target":null,"client_id":null,"changes":null,"count":7,"code":null,"request_id":null,"nonce":"y"}', 'UTF8') as body) entry;
