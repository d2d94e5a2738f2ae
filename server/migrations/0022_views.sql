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
