alter table audit_entries add column target text collate "C";
update audit_entries set target = convert_from(body, 'UTF8')::json ->> 'target';

-- An entry about a client stands in one index by client, actions or counted reads; whoever asks for both reads both.
drop index audit_entries_client;
create index audit_entries_client_reads on audit_entries (partner_id, client_id, id) where client_id is not null and tallied;

-- What is about the client itself is found by its client.
create index audit_entries_target on audit_entries (partner_id, target, id) where target is distinct from client_id;
create index audit_entries_ip on audit_entries (partner_id, ip, id) where ip is not null;
create index audit_entries_denied on audit_entries (partner_id, id) where outcome = 'denied';

-- The operator's list asks every log by the log's own indexes.
drop index audit_entries_id;

create table audit_leaves (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  leaf_hash   bytea not null,
  primary key (partner_id, id)
);
comment on table audit_leaves is 'append-only: the hashes of audit entries whose bytes have gone, so that what was proven stays provable.';
