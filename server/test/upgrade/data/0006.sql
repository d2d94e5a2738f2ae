-- A leaf whose entry has gone.
insert into audit_leaves (partner_id, id, leaf_hash) values
  ('ptr_01m70000000000000000000001', 'aud_01m70000000000000000000000', sha256('gone'));
