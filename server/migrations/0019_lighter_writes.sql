-- Accounts whose default pipeline is added when it is first used: opening an account then takes one row instead of eight.
create table pipelines_due (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  constraint pipelines_due_pkey primary key (partner_id, account_id)
);
comment on table pipelines_due is 'Accounts whose default pipeline is not created yet. [accounts/pipelines, tenant]';

-- A change is found by its position, and by its id only while it has none: an index of all ids would be written twice per change.
alter table change_feed drop constraint change_feed_pkey;
drop index change_feed_waiting;
create index change_feed_pending on change_feed (partner_id, change_id) where seq is null;

-- Replies are deleted in the order in which they were stored, which a summary of the pages finds as well as an entry per row.
drop index idempotency_replies_age;
create index idempotency_replies_age on idempotency_replies using brin (created_at) with (pages_per_range = 32);

-- A feed by type is searched in order, some positions at a time: an index by type would be written for every event.
drop index event_feed_type;

-- The audit log is searched for an action or an actor, some thousand entries at a time.
drop index audit_entries_action;
drop index audit_entries_actor;
