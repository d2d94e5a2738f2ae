-- Registrations that were rejected while their deal is open: few, and shown to the partner.
create index registrations_rejected on registrations (partner_id, decided_at) where outcome is null and status = 'rejected';

create table client_movements (
  partner_id text collate "C" not null,
  at timestamptz(3) not null,
  client_id text collate "C" not null,
  version int not null,
  currency text not null,
  mrr_cents bigint not null,
  clients int not null,
  constraint client_movements_pkey primary key (partner_id, at, client_id, version, currency) include (mrr_cents, clients),
  constraint client_movements_clients_check check (clients between -1 and 1)
);
alter table client_movements
  add constraint client_movements_partner_id_client_id_fkey foreign key (partner_id, client_id) references clients (partner_id, id);
comment on table client_movements is 'append-only: by how much each change of a client changed the number and the monthly revenue of active clients. [accounts/clients, tenant]';

alter table partners add column movements_since timestamptz(3);
update partners set movements_since = now();
comment on column partners.movements_since is 'From when on the movements of its clients are complete. Null: from the beginning.';

create table views (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C",
  page text not null,
  name text not null,
  query text not null,
  shared boolean not null default false,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint views_pkey primary key (partner_id, id),
  constraint views_query_check check (length(query) <= 2000)
);
alter table views add constraint views_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create unique index views_name on views (partner_id, created_by, page, coalesce(account_id, ''), lower(name));
create index views_shared on views (partner_id, page, id) where shared;
comment on table views is 'Saved views of the portal: the filters and sort of a page as its URL has them. Without an account a view is for the pages of the whole partner. [accounts/views, tenant]';
