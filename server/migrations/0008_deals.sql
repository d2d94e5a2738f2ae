alter table change_feed add column detail jsonb;
comment on column change_feed.detail is 'What a reader of the feed is told beside the record: where a deal moved from and to, what a lead became.';

create table pipelines (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  account_id  text collate "C" not null,
  name        text not null,
  is_default  boolean not null default false,
  rules       jsonb not null default '{}',
  archived    boolean not null default false,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  version     int not null default 1,
  primary key (partner_id, id),
  foreign key (partner_id, account_id) references clients (partner_id, id),
  check (not (is_default and archived))
);
comment on table pipelines is 'The ways that deals of an account go. The rules say which moves are allowed.';
create unique index pipelines_name on pipelines (partner_id, account_id, lower(name)) where not archived;
create unique index pipelines_default on pipelines (partner_id, account_id) where is_default;

create table stages (
  partner_id       text collate "C" not null,
  id               text collate "C" not null,
  pipeline_id      text collate "C" not null,
  name             text not null,
  position         int not null,
  type             text not null check (type in ('open', 'won', 'lost')),
  probability      int not null check (probability between 0 and 100),
  required_fields  text[] not null default '{}',
  target_days      int,
  archived         boolean not null default false,
  primary key (partner_id, id),
  foreign key (partner_id, pipeline_id) references pipelines (partner_id, id),
  check (type = 'open' or probability = case type when 'won' then 100 else 0 end)
);
comment on table stages is 'The steps of a pipeline. An archived one is kept for the deals that were in it.';
create unique index stages_name on stages (partner_id, pipeline_id, lower(name)) where not archived;

create table deals (
  partner_id         text collate "C" not null,
  id                 text collate "C" not null,
  account_id         text collate "C" not null,
  sale               boolean not null,
  pipeline_id        text collate "C" not null,
  stage_id           text collate "C" not null,
  status             text not null check (status in ('open', 'won', 'lost')),
  stage_entered_at   timestamptz(3) not null,
  name               text not null,
  amount_cents       bigint,
  currency           text not null,
  contact_id         text collate "C",
  lead_id            text collate "C",
  owner_id           text collate "C",
  expected_close_on  date,
  lost_reason        text,
  tags               text[] not null default '{}',
  notes              text,
  custom             jsonb not null default '{}',
  external_id        text,
  company            text,
  company_domain     text,
  contact            jsonb,
  plan               text,
  mrr_cents          bigint,
  client_id          text collate "C",
  won_at             timestamptz(3),
  lost_at            timestamptz(3),
  first_won_at       timestamptz(3),
  deleted_at         timestamptz(3),
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  version            int not null default 1,
  primary key (partner_id, id),
  foreign key (partner_id, account_id) references clients (partner_id, id),
  foreign key (partner_id, pipeline_id) references pipelines (partner_id, id),
  foreign key (partner_id, stage_id) references stages (partner_id, id),
  foreign key (partner_id, client_id) references clients (partner_id, id),
  foreign key (partner_id, contact_id) references contacts (partner_id, id),
  check (amount_cents between 0 and 9007199254740991),
  check (mrr_cents between 0 and 9007199254740991),
  check ((status = 'won') = (won_at is not null)),
  check ((status = 'lost') = (lost_at is not null)),
  check (sale or (client_id is null and plan is null and mrr_cents is null))
);
comment on table deals is 'What an account tries to sell. A sale is one of the house account: of a plan, to a company that becomes a client.';
comment on column deals.status is 'The type of the stage, and never anything else.';

create index deals_account on deals (partner_id, account_id, id) where deleted_at is null;
create index deals_status on deals (partner_id, status, id) where deleted_at is null;
create index deals_stage on deals (partner_id, stage_id, id) where deleted_at is null;
create index deals_pipeline on deals (partner_id, pipeline_id, id) where deleted_at is null;
create index deals_owner on deals (partner_id, owner_id, id) where deleted_at is null and owner_id is not null;
create index deals_contact on deals (partner_id, contact_id, id) where deleted_at is null and contact_id is not null;
create index deals_client on deals (partner_id, client_id, id) where deleted_at is null and client_id is not null;
create index deals_name on deals (partner_id, lower(name), id) where deleted_at is null;
create index deals_updated on deals (partner_id, updated_at, id) where deleted_at is null;
create unique index deals_external_id on deals (partner_id, account_id, external_id)
  where deleted_at is null and external_id is not null;
create index deals_tags on deals using gin (partner_id, tags) where deleted_at is null;
create index deals_custom on deals using gin (partner_id, custom jsonb_path_ops) where deleted_at is null and custom <> '{}';

-- What a search for a deal looks in. A line break stands between the fields, so that no search finds the seam.
create function deal_search_text(name text, company text, notes text) returns text
  language sql immutable parallel safe
  return lower(name || E'\n' || coalesce(company, '') || E'\n' || coalesce(notes, ''));
create index deals_search on deals using gin (partner_id, deal_search_text(name, company, notes) gin_trgm_ops)
  where deleted_at is null;

-- What sorts deals by the day that they should close; those without one come last.
create function deal_close_time(day date) returns timestamptz
  language sql immutable parallel safe
  return coalesce(day, date '9999-12-31')::timestamp at time zone 'UTC';
create index deals_close on deals (partner_id, deal_close_time(expected_close_on), id) where deleted_at is null;

create table deal_stages (
  partner_id   text collate "C" not null,
  deal_id      text collate "C" not null,
  ordinal      int not null,
  account_id   text collate "C" not null,
  pipeline_id  text collate "C" not null,
  stage_id     text collate "C" not null,
  entered_at   timestamptz(3) not null,
  left_at      timestamptz(3),
  moved_by     text collate "C" not null,
  note         text,
  primary key (partner_id, deal_id, ordinal),
  foreign key (partner_id, deal_id) references deals (partner_id, id),
  check (left_at >= entered_at)
);
comment on table deal_stages is 'Where each deal stood and from when to when, without a gap. The last is where it stands.';
create unique index deal_stages_now on deal_stages (partner_id, deal_id) where left_at is null;
create index deal_stages_stage on deal_stages (partner_id, stage_id, entered_at);

-- Every account that is there already gets the pipeline that a new one begins with.
with made as (
  insert into pipelines (partner_id, id, account_id, name, is_default, created_at, updated_at)
  select c.partner_id, 'ppl_' || substr(first_id_at('x', now()), 3, 10) || left(md5(c.id || 'pipeline'), 16), c.id, 'Sales', true, now(), now()
  from clients c
  returning partner_id, id, account_id
)
insert into stages (partner_id, id, pipeline_id, name, position, type, probability)
select m.partner_id, 'stg_' || substr(first_id_at('x', now()), 3, 10) || left(md5(m.account_id || s.name), 16), m.id, s.name, s.position, s.type, s.probability
from made m, (values ('New', 0, 'open', 10), ('Qualified', 1, 'open', 25), ('Proposal', 2, 'open', 50), ('Negotiation', 3, 'open', 75),
  ('Won', 4, 'won', 100), ('Lost', 5, 'lost', 0)) s (name, position, type, probability);
