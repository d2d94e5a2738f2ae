create table leads (
  partner_id           text collate "C" not null,
  id                   text collate "C" not null,
  account_id           text collate "C" not null,
  name                 text,
  phone                text collate "C",
  email                text,
  company              text,
  title                text,
  country              text,
  status               text not null check (status in ('new', 'working', 'qualified', 'disqualified', 'converted')),
  disqualified_reason  text,
  score                int not null check (score between 0 and 100),
  source               jsonb not null,
  tags                 text[] not null default '{}',
  notes                text,
  custom               jsonb not null default '{}',
  owner_id             text collate "C",
  external_id          text,
  activity_count       int not null default 0,
  last_activity_at     timestamptz(3) not null,
  converted_at         timestamptz(3),
  converted_by         text collate "C",
  contact_id           text collate "C",
  deal_id              text collate "C",
  conversion           jsonb,
  deleted_at           timestamptz(3),
  erased_at            timestamptz(3),
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3) not null,
  version              int not null default 1,
  primary key (partner_id, id),
  foreign key (partner_id, account_id) references clients (partner_id, id),
  foreign key (partner_id, contact_id) references contacts (partner_id, id),
  foreign key (partner_id, deal_id) references deals (partner_id, id),
  check (name is not null or phone is not null or email is not null or external_id is not null or erased_at is not null),
  check ((status = 'converted') = (converted_at is not null)),
  check ((converted_at is not null) = (contact_id is not null and converted_by is not null and conversion is not null)),
  check (disqualified_reason is null or status = 'disqualified'),
  check (deleted_at is not null or erased_at is null)
);
comment on table leads is 'People of interest to an account, until they become its contacts. A deleted one stays for a while; an erased one keeps nothing personal.';
comment on column leads.conversion is 'What taking a conversion back needs: the status before, what was done to the contact, and the versions that contact and deal had afterwards.';

create unique index leads_phone on leads (partner_id, account_id, phone)
  where deleted_at is null and converted_at is null and phone is not null;
create unique index leads_email on leads (partner_id, account_id, lower(email))
  where deleted_at is null and converted_at is null and email is not null;
create unique index leads_external_id on leads (partner_id, account_id, external_id)
  where deleted_at is null and external_id is not null;
create index leads_account on leads (partner_id, account_id, id) where deleted_at is null;
create index leads_status on leads (partner_id, status, id) where deleted_at is null;
create index leads_score on leads (partner_id, score, id) where deleted_at is null;
create index leads_name on leads (partner_id, lower(coalesce(name, '')), id) where deleted_at is null;
create index leads_updated on leads (partner_id, updated_at, id) where deleted_at is null;
create index leads_company on leads (partner_id, lower(company), id) where deleted_at is null and company is not null;
create index leads_owner on leads (partner_id, owner_id, id) where deleted_at is null and owner_id is not null;
create index leads_source_kind on leads (partner_id, (source ->> 'kind'), id) where deleted_at is null;
create index leads_source on leads using gin (partner_id, source jsonb_path_ops) where deleted_at is null;
create index leads_tags on leads using gin (partner_id, tags) where deleted_at is null;
create index leads_custom on leads using gin (partner_id, custom jsonb_path_ops) where deleted_at is null and custom <> '{}';
create index leads_search on leads using gin
  (partner_id, contact_search_text(coalesce(name, ''), email, phone, company, notes) gin_trgm_ops) where deleted_at is null;
create index leads_contact on leads (partner_id, contact_id) where contact_id is not null;
create index leads_deleted on leads (deleted_at) where deleted_at is not null and erased_at is null;

create table lead_scoring (
  partner_id   text collate "C" not null,
  account_id   text collate "C" not null,
  rules        jsonb not null,
  rescored_to  text collate "C",
  updated_at   timestamptz(3),
  version      int not null default 1,
  primary key (partner_id, account_id),
  foreign key (partner_id, account_id) references clients (partner_id, id)
);
comment on table lead_scoring is 'The rules that an account scores its leads by: those that every account begins with, until it has its own.';
comment on column lead_scoring.rescored_to is 'The last lead that was scored again after a change of the rules; null when all have been.';
create index lead_scoring_pending on lead_scoring (partner_id, account_id) where rescored_to is not null;

create table contact_images (
  partner_id  text collate "C" not null,
  contact_id  text collate "C" not null,
  version     int not null,
  before      jsonb not null,
  created_at  timestamptz(3) not null,
  primary key (partner_id, contact_id, version),
  foreign key (partner_id, contact_id) references contacts (partner_id, id)
);
comment on table contact_images is 'What a contact was before a lead added to it, and the version that it had afterwards. An erasure takes it away.';
