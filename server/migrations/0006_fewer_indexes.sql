-- Each index costs every write, so each has to earn it: these are for filters of the audit log, and most of them hold few rows.
alter table audit_entries add column target text collate "C";
update audit_entries set target = convert_from(body, 'UTF8')::json ->> 'target';

-- What is about the client itself is found by its client.
create index audit_entries_target on audit_entries (partner_id, target, id) where target is distinct from client_id;
create index audit_entries_denied on audit_entries (partner_id, id) where outcome = 'denied';

-- An entry about a client stands in one index by client, actions or counted reads; whoever asks for both reads both.
drop index audit_entries_client;
create index audit_entries_client_reads on audit_entries (partner_id, client_id, id) where client_id is not null and tallied;

-- The operator's list asks every log by the log's own indexes.
drop index audit_entries_id;

-- A client's activity reads its events in the order of the feed, and the sequencer needs the waiting ones by transaction alone.
drop index event_feed_client_events;
drop index event_feed_waiting;

create table audit_leaves (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  leaf_hash   bytea not null,
  primary key (partner_id, id)
);
comment on table audit_leaves is 'append-only: the hashes of audit entries whose bytes have gone, so that what was proven stays provable.';
