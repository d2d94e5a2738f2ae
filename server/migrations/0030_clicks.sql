-- The last click of each visitor, so that a repeated one is recognised by one read by key.
create table link_visitors (
  partner_id text collate "C" not null,
  day date not null,
  link_id text collate "C" not null,
  visitor bytea not null,
  last_id text collate "C" not null,
  before_id text collate "C",
  constraint link_visitors_pkey primary key (partner_id, day, link_id, visitor)
);
comment on table link_visitors is 'The last click of each visitor of a link on a day, and the one that was last before it. A day is deleted with its salt. [money/links, tenant]';

insert into link_visitors (partner_id, day, link_id, visitor, last_id)
select c.partner_id, s.day, c.link_id, c.visitor, max(c.id)
from (select t.day from click_salts t order by t.day desc limit 1) s
  join clicks c on c.id >= first_id_at('clk', s.day::timestamp at time zone 'UTC')
    and c.id < first_id_at('clk', (s.day + 1)::timestamp at time zone 'UTC')
where c.bot is null
group by c.partner_id, s.day, c.link_id, c.visitor;

drop index clicks_visitor;

-- A link that the operator has blocked.
alter table affiliate_links drop constraint affiliate_links_status_check;
alter table affiliate_links add constraint affiliate_links_status_check check (status in ('active', 'paused', 'archived', 'blocked'));

-- What came by a link.
create index leads_link on leads (partner_id, affiliate_link_id, id) where affiliate_link_id is not null;
create index deals_link on deals (partner_id, affiliate_link_id, id) where affiliate_link_id is not null;

comment on column programme.link_cookie is 'Not used any more: links set no cookie.';
