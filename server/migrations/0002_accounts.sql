-- Both ship with PostgreSQL and are trusted: the owner of a database may add them.
create extension if not exists btree_gin;
create extension if not exists pg_trgm;

alter table keys
  add column expires_at           timestamptz(3),
  add column allowed_cidrs        cidr[] check (cardinality(allowed_cidrs) > 0),
  add column last_used_at         timestamptz(3),
  add column previous_hash        bytea,
  add column previous_hash_until  timestamptz(3),
  add constraint keys_previous_hash_ends check ((previous_hash is null) = (previous_hash_until is null));
create unique index keys_previous_hash on keys (previous_hash) where previous_hash is not null;

alter table partners add column default_snapshots text[] not null default '{}';

alter table users
  add column state    text not null default 'active' check (state in ('invited', 'active')),
  add column clients  text[] check (cardinality(clients) > 0);

alter table clients add column tags text[] not null default '{}';

-- What a search for a client looks in. A line break stands between the fields, so that no search finds the seam.
create function client_search_text(company text, external_id text, contact jsonb) returns text
  language sql immutable parallel safe
  return lower(company || E'\n' || coalesce(external_id, '') || E'\n' || coalesce(contact ->> 'name', '') || E'\n'
    || coalesce(contact ->> 'email', '') || E'\n' || coalesce(contact ->> 'phone', ''));

create index clients_tags on clients using gin (partner_id, tags);
create index clients_search on clients using gin (partner_id, client_search_text(company, external_id, contact) gin_trgm_ops);
create index clients_plan on clients (partner_id, plan, id) where plan is not null;
create index clients_company on clients (partner_id, lower(company), id);
create index clients_updated on clients (partner_id, updated_at, id);

-- Counts of reads and denials are left out where only what was done is asked for.
alter table audit_entries add column tallied boolean not null default false;
create index audit_entries_client_actions on audit_entries (partner_id, client_id, id) where client_id is not null and not tallied;
create index event_feed_client_events on event_feed (partner_id, client_id, event_id);
