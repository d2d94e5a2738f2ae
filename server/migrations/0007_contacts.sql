-- What was done to a client itself, apart from what was done in its account.
create index audit_entries_client_itself on audit_entries (partner_id, client_id, id) where target = client_id and not tallied;

create table change_feed (
  partner_id       text collate "C" not null,
  change_id        text collate "C" not null,
  resource         text not null,
  account_id       text collate "C" not null,
  subject          text collate "C" not null,
  subject_version  int not null,
  change           text not null,
  transaction_id   text collate "C" not null,
  ordinal          int not null,
  seq              bigint,
  primary key (partner_id, change_id)
);
comment on table change_feed is 'What changed in the accounts, for those who follow it. No seq: committed, not yet placed by the sequencer.';
create unique index change_feed_seq on change_feed (partner_id, seq) where seq is not null;
create index change_feed_account on change_feed (partner_id, account_id, seq) where seq is not null;
create index change_feed_waiting on change_feed (partner_id, transaction_id) where seq is null;

create table change_heads (
  partner_id   text collate "C" primary key,
  seq          bigint not null default 0,
  trimmed_seq  bigint not null default 0
);
comment on table change_heads is 'The last seq given in each partner''s change feed, and the last that retention took away. Only sequencers and retention lock it.';

create table custom_fields (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  account_id  text collate "C" not null,
  resource    text not null,
  key         text collate "C" not null,
  label       text not null,
  type        text not null check (type in ('text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url')),
  options     text[] not null default '{}',
  required    boolean not null default false,
  archived    boolean not null default false,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  version     int not null default 1,
  primary key (partner_id, id),
  foreign key (partner_id, account_id) references clients (partner_id, id),
  check ((cardinality(options) > 0) = (type in ('select', 'multi_select')))
);
comment on table custom_fields is 'The fields that an account adds to its records. An archived one keeps its key and its values, and takes no new ones.';
create unique index custom_fields_key on custom_fields (partner_id, account_id, resource, key);

alter table clients add column shared_phones boolean not null default false;
comment on column clients.shared_phones is 'Whether several contacts of the account may have one phone.';

create table contacts (
  partner_id   text collate "C" not null,
  id           text collate "C" not null,
  account_id   text collate "C" not null,
  name         text not null,
  phone        text collate "C",
  phone_shared boolean not null default false,
  email        text,
  company      text,
  tags         text[] not null default '{}',
  notes        text,
  custom       jsonb not null default '{}',
  owner_id     text collate "C",
  external_id  text,
  consent      jsonb not null default '{}',
  merged_into  text collate "C",
  deleted_at   timestamptz(3),
  erased_at    timestamptz(3),
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  version      int not null default 1,
  primary key (partner_id, id),
  foreign key (partner_id, account_id) references clients (partner_id, id),
  foreign key (partner_id, merged_into) references contacts (partner_id, id),
  check (phone is not null or erased_at is not null),
  check (deleted_at is not null or (merged_into is null and erased_at is null))
);
comment on column contacts.phone_shared is 'Written while its account let several contacts have one phone: it keeps the phone from nobody.';
comment on table contacts is 'The people that an account deals with. Deleted and merged ones stay for a while; an erased one keeps nothing but its ids.';

-- What a search for a contact looks in. A line break stands between the fields, so that no search finds the seam.
create function contact_search_text(name text, email text, phone text, company text, notes text) returns text
  language sql immutable parallel safe
  return lower(name || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, '') || E'\n' || coalesce(company, '') || E'\n'
    || coalesce(notes, ''));

create unique index contacts_phone on contacts (partner_id, account_id, phone) where deleted_at is null and not phone_shared;
create index contacts_phone_shared on contacts (partner_id, account_id, phone) where deleted_at is null and phone_shared;
create unique index contacts_email on contacts (partner_id, account_id, lower(email)) where deleted_at is null and email is not null;
create unique index contacts_external_id on contacts (partner_id, account_id, external_id)
  where deleted_at is null and external_id is not null;
create index contacts_account on contacts (partner_id, account_id, id) where deleted_at is null;
create index contacts_name on contacts (partner_id, lower(name), id) where deleted_at is null;
create index contacts_updated on contacts (partner_id, updated_at, id) where deleted_at is null;
create index contacts_company on contacts (partner_id, lower(company), id) where deleted_at is null and company is not null;
create index contacts_owner on contacts (partner_id, owner_id, id) where deleted_at is null and owner_id is not null;
create index contacts_tags on contacts using gin (partner_id, tags) where deleted_at is null;
create index contacts_custom on contacts using gin (partner_id, custom jsonb_path_ops) where deleted_at is null and custom <> '{}';
create index contacts_search on contacts using gin (partner_id, contact_search_text(name, email, phone, company, notes) gin_trgm_ops)
  where deleted_at is null;
create index contacts_merged on contacts (partner_id, merged_into) where merged_into is not null;
create index contacts_deleted on contacts (deleted_at) where deleted_at is not null and erased_at is null;

create table contact_merges (
  partner_id    text collate "C" not null,
  id            text collate "C" not null,
  account_id    text collate "C" not null,
  into_id       text collate "C" not null,
  from_id       text collate "C" not null,
  into_before   jsonb,
  from_before   jsonb,
  into_version  int not null,
  from_version  int not null,
  created_at    timestamptz(3) not null,
  undone_at     timestamptz(3),
  primary key (partner_id, id),
  foreign key (partner_id, into_id) references contacts (partner_id, id),
  foreign key (partner_id, from_id) references contacts (partner_id, id)
);
comment on table contact_merges is 'Two contacts made one: both as they were, and the versions that they had afterwards. An erasure takes the former away.';
create index contact_merges_into on contact_merges (partner_id, into_id);
create index contact_merges_from on contact_merges (partner_id, from_id);

create table contact_consents (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  contact_id  text collate "C" not null,
  channel     text not null check (channel in ('sms', 'email', 'whatsapp', 'calls')),
  status      text not null check (status in ('granted', 'denied', 'unknown')),
  source      text,
  at          timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  primary key (partner_id, id),
  foreign key (partner_id, contact_id) references contacts (partner_id, id)
);
comment on table contact_consents is 'Every consent that a contact gave or took back, and where that was said. The contact''s own row has the latest.';
create index contact_consents_contact on contact_consents (partner_id, contact_id, id);

create table record_notes (
  partner_id  text collate "C" not null,
  id          text collate "C" not null,
  account_id  text collate "C" not null,
  record_id   text collate "C" not null,
  body        text not null,
  author_id   text collate "C" not null,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  version     int not null default 1,
  primary key (partner_id, id),
  foreign key (partner_id, account_id) references clients (partner_id, id)
);
comment on table record_notes is 'Notes beside a record of an account, such as a contact.';
create index record_notes_record on record_notes (partner_id, record_id, id);
