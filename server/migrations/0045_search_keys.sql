-- The keys by which a search finds rows beside their text: of the partner, of the account, and of the partner and a slice of ids, of nine hours and of twelve days.
-- Rows of one slice lie together, so that a search of the newest slices skips the rest of each list.
create function search_keys(partner_id text, account_id text, id text) returns bigint[]
language sql immutable parallel safe
return array[
  hashtextextended(partner_id, 0),
  hashtextextended(account_id, 0),
  hashtextextended(partner_id || left(id, -21), 0),
  hashtextextended(partner_id || left(id, -22), 0)
];

-- The text comes first: keys are then compared for its matches only, and not for each row that has one of its trigrams.
drop index clients_search;
create index clients_search on clients using gin (client_search_text(company, external_id, contact) gin_trgm_ops, search_keys(partner_id, partner_id, id));

drop index contacts_search;
create index contacts_search on contacts using gin (contact_search_text(name, email, phone, company, notes) gin_trgm_ops, search_keys(partner_id, account_id, id)) where deleted_at is null;

drop index leads_search;
create index leads_search on leads using gin (contact_search_text(coalesce(name, ''), email, phone, company, notes) gin_trgm_ops, search_keys(partner_id, account_id, id)) where deleted_at is null;

drop index deals_search;
create index deals_search on deals using gin (deal_search_text(name, company, notes) gin_trgm_ops, search_keys(partner_id, account_id, id)) where deleted_at is null;
