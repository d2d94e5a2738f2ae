-- Links that partners share.
create table affiliate_links (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  code text collate "C" not null,
  code_key text collate "C" not null,
  destination_url text not null,
  campaign text,
  window_days int not null,
  expires_at timestamptz(3),
  status text not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint affiliate_links_pkey primary key (partner_id, id),
  constraint affiliate_links_code_key unique (partner_id, code_key),
  constraint affiliate_links_window_days_check check (window_days between 1 and 365),
  constraint affiliate_links_status_check check (status in ('active', 'paused', 'archived'))
);
create index affiliate_links_status on affiliate_links (partner_id, status, id);
create index affiliate_links_campaign on affiliate_links (partner_id, lower(campaign), id) where campaign is not null;
comment on table affiliate_links is 'The links that a partner shares, where each leads, and for how many days a click counts. code_key is the code without what is easily confused. [money/links, tenant]';

create table link_codes (
  code_key text collate "C" not null,
  code text collate "C" not null,
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  destination_url text not null,
  campaign text,
  window_days int not null,
  expires_at timestamptz(3),
  status text not null,
  constraint link_codes_pkey primary key (code_key),
  constraint link_codes_link_id_key unique (link_id),
  constraint link_codes_partner_id_fkey foreign key (partner_id) references partners (id)
);
comment on table link_codes is 'Every code of all partners with what a redirect needs of its link, so that a click is one read by key. A code is never given away again. [money/links, global]';

-- What happened to them.
create table clicks (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  link_id text collate "C" not null,
  visitor bytea not null,
  referrer_host text,
  bot text,
  repeat boolean not null,
  constraint clicks_pkey primary key (partner_id, id),
  constraint clicks_bot_check check (bot in ('agent', 'prefetch'))
) partition by range (id);
create index clicks_visitor on clicks (partner_id, link_id, visitor, id);
create table clicks_default partition of clicks default;
select add_partitions('clicks', 'clk', '2026-07-01', '2028-12-01');
comment on table clicks is 'append-only: the clicks of links. The visitor is a hash under a salt of the day, for one link; there is no address. [money/links, tenant]';

create table link_days (
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  day date not null,
  clicks int not null,
  visitors int not null,
  bots int not null,
  repeats int not null,
  constraint link_days_pkey primary key (partner_id, link_id, day)
);
comment on table link_days is 'The clicks of a link by day in UTC, kept for good. Bots are counted apart; visitors are the different ones of the day. [money/links, tenant]';

create table click_salts (
  day date not null,
  salt bytea not null,
  constraint click_salts_pkey primary key (day)
);
comment on table click_salts is 'The salts of visitors, one a day. Without its salt, a visitor cannot be recognised any more: it is deleted after two days. [money/links, global]';

create table attributions (
  partner_id text collate "C" not null,
  record_id text collate "C" not null,
  kind text not null,
  link_id text collate "C" not null,
  click_id text collate "C" not null,
  clicked_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  constraint attributions_pkey primary key (partner_id, record_id),
  constraint attributions_kind_check check (kind in ('lead', 'deal'))
);
alter table attributions add constraint attributions_partner_id_link_id_fkey foreign key (partner_id, link_id) references affiliate_links (partner_id, id);
create index attributions_link on attributions (partner_id, link_id, created_at);
comment on table attributions is 'append-only but for: link_id, click_id, clicked_at. The leads and deals that came by a link, with the click that proves it. [money/links, tenant]';

-- Where it is shown, and what it earns.
alter table leads add column affiliate_link_id text collate "C";
alter table deals add column affiliate_link_id text collate "C";
comment on column leads.affiliate_link_id is 'The link that the lead came by, by its last click.';
comment on column deals.affiliate_link_id is 'The link that the deal came by. It does not change any more.';

create index earnings_link on earnings (partner_id, link_id, opened_at) where link_id is not null;

alter table commission_rules drop constraint commission_rules_scope_check;
alter table commission_rules add column link_id text collate "C";
alter table commission_rules add constraint commission_rules_scope_check check (scope in ('programme', 'grade', 'partner', 'link'));
alter table commission_rules add constraint commission_rules_link_check check ((scope = 'link') = (link_id is not null));

alter table programme add column link_hosts text[] not null default '{}';
alter table programme add column link_cookie text not null default 'allowed';
alter table programme add column link_window_days int not null default 90;
alter table programme add constraint programme_link_cookie_check check (link_cookie in ('allowed', 'never'));
alter table programme add constraint programme_link_window_days_check check (link_window_days between 1 and 365);
