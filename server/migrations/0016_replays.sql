-- A stored reply is repeated only to a key with all the rights that it had for the first one.
alter table keys add column narrowed_version int not null default 0;
update keys set narrowed_version = version where version > 1;
comment on column keys.narrowed_version is 'The version that last took a right away. Replies that were stored before it are withheld.';
alter table idempotency_replies add column key_version int not null default 0, add column credential_hash bytea;
comment on column idempotency_replies.key_version is 'The version of the key at the first request; 0 if unknown.';
comment on column idempotency_replies.credential_hash is 'The hash of the secret that a reply with a secret was returned to; nobody else gets it again.';
