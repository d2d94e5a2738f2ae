-- Someone who is signed in and has a second factor, and somebody who was invited.
insert into sessions (id, hash, user_id, agent, ip, created_at, authenticated_at, last_seen_at, expires_at)
select 'sgn_01mg0000000000000000000001', '\x01', id, 'Browser', '192.0.2.1', '2026-11-15T08:00:00Z', '2026-11-15T08:00:00Z',
  '2026-11-15T09:00:00Z', '2026-11-22T08:00:00Z'
from users order by id limit 1;
insert into user_links (hash, user_id, purpose, created_at, expires_at)
select '\x02', id, 'invitation', '2026-11-15T08:00:00Z', '2026-11-22T08:00:00Z' from users order by id limit 1;
insert into second_factors (user_id, secret, confirmed_at, last_step, recovery_codes, created_at)
select id, '\x03', '2026-11-15T08:00:00Z', 1, '{"\\x04"}', '2026-11-15T08:00:00Z' from users order by id limit 1;
insert into outgoing_mail (kind, about, created_at, due_at, expires_at)
select 'invitation', id, '2026-11-15T08:00:00Z', '2026-11-15T08:00:00Z', '2026-11-22T08:00:00Z' from users order by id limit 1;
