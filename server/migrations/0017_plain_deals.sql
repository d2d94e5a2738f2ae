-- A sale is a registered deal; any other deal of the house account is a plain one, which may have the fields of a sale before it is registered.
alter table deals drop constraint deals_check2;
update deals d set sale = false
where d.sale and not exists (select from registrations r where r.partner_id = d.partner_id and r.deal_id = d.id);
comment on table deals is 'Deals. A sale is a registered deal of the house account: a plan sold to a company that becomes a client. [crm/deals, tenant]';

alter table deals add column erased_at timestamptz(3);
create index deals_deleted on deals (deleted_at) where deleted_at is not null and erased_at is null;
create index deals_company on deals (partner_id, lower(company), id) where deleted_at is null and company is not null;
create index deals_amount on deals (partner_id, coalesce(amount_cents, -1), id) where deleted_at is null;
create index deals_closed on deals (partner_id, coalesce(won_at, lost_at), id) where deleted_at is null and status <> 'open';
