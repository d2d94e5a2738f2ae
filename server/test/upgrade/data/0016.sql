-- A key that lost a right, and a reply with a secret that it got before.
insert into keys (id, partner_id, name, hash, hint, scopes, created_by, created_at, version, narrowed_version) values
  ('key_01mh0000000000000000000001', 'ptr_01mg0000000000000000000001', 'Narrowed', '\x16', 'aaaa', '{clients:read}', 'system', '2026-11-07T08:00:00Z', 2, 2);
insert into idempotency_replies (partner_id, actor_id, key, fingerprint, status, headers, body, sealed, created_at, key_version, credential_hash) values
  ('ptr_01mg0000000000000000000001', 'key_01mh0000000000000000000001', 'create-1', '\x00', 201, '{}', '\x00', true, '2026-11-07T08:00:00Z', 1, '\x16');
