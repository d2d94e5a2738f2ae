alter table affiliate_links add column archived_before_block boolean not null default false;
comment on column affiliate_links.archived_before_block is 'Of a blocked link: whether it was archived, which it is again once it is unblocked.';
