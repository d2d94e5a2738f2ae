-- The version of a deal is written by the statements of deals alone.
drop function touch_deal(text, text, timestamptz);

-- Claims are distributed by their value, so they refer to no tenant table: a claim ends at `until`, also that of a churned client.
alter table registration_claims drop constraint registration_claims_partner_id_deal_id_fkey;
alter table registration_claims drop constraint registration_claims_partner_id_client_id_fkey;
alter table registration_claims drop constraint registration_claims_check;
update registration_claims c set until = coalesce(k.churned_at, k.status_changed_at)
from clients k
where k.partner_id = c.partner_id and k.id = c.client_id and k.status = 'churned';
alter table registration_claims add constraint registration_claims_holder check (until is not null or client_id is not null);
comment on table registration_claims is 'Which deal or client holds a company, across all partners: until a time, or without an end while the client is one. [crm/deals, by value]';
