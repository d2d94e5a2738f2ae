create table imports (
  partner_id   text collate "C" not null,
  id           text collate "C" not null,
  account_id   text collate "C" not null,
  resource     text not null,
  mode         text not null check (mode in ('create', 'upsert', 'update')),
  dry_run      boolean not null,
  status       text not null default 'queued'
    check (status in ('queued', 'running', 'completed', 'cancelled', 'failed', 'reverting', 'reverted')),
  plan         jsonb not null,
  bytes        bigint not null,
  total        int not null,
  processed    int not null default 0,
  created      int not null default 0,
  updated      int not null default 0,
  unchanged    int not null default 0,
  failed       int not null default 0,
  removed      int not null default 0,
  restored     int not null default 0,
  kept         int not null default 0,
  place        bigint not null,
  row          int not null default 1,
  batches      int not null default 0,
  attempts     int not null default 0,
  failure      jsonb,
  created_by   text collate "C" not null,
  worked_for   text collate "C" not null,
  created_at   timestamptz(3) not null,
  started_at   timestamptz(3),
  finished_at  timestamptz(3),
  reverted_at  timestamptz(3),
  worked_at    timestamptz not null default 'epoch',
  cleared      boolean not null default false,
  primary key (partner_id, id),
  foreign key (partner_id, account_id) references clients (partner_id, id),
  check (processed = created + updated + unchanged + failed),
  check (processed <= total)
);
comment on table imports is 'Tables of records that were sent to be taken in: what they are, and how far the work is.';
comment on column imports.plan is 'How the file is read: its delimiter, its columns, and the field that each of them is for.';
comment on column imports.place is 'The byte of the file that the next row begins at.';
comment on column imports.row is 'The last row that was read; the line of names is the first.';
comment on column imports.worked_for is 'The key that asked for what is done now: the import, or its revert.';
comment on column imports.cleared is 'Whether what a revert and the list of errors need has been taken away, because its time was over.';
create index imports_active on imports (partner_id, worked_at) where status in ('queued', 'running', 'reverting');
create index imports_finished on imports (finished_at) where not cleared;

create table import_chunks (
  partner_id  text collate "C" not null,
  import_id   text collate "C" not null,
  ordinal     int not null,
  data        bytea not null,
  primary key (partner_id, import_id, ordinal)
);
comment on table import_chunks is 'The files of imports that are not through yet, in pieces. They come before the import itself, which is made when its file is whole.';
alter table import_chunks alter column data set storage external;

create table import_batches (
  partner_id  text collate "C" not null,
  import_id   text collate "C" not null,
  ordinal     int not null,
  created     text[] not null,
  primary key (partner_id, import_id, ordinal),
  foreign key (partner_id, import_id) references imports (partner_id, id)
);
comment on table import_batches is 'The records that each step of an import has made, for a revert.';

create table import_errors (
  partner_id   text collate "C" not null,
  import_id    text collate "C" not null,
  row          int not null,
  ordinal      int not null,
  column_name  text,
  code         text not null,
  detail       text not null,
  value        text,
  cells        text[],
  primary key (partner_id, import_id, row, ordinal),
  foreign key (partner_id, import_id) references imports (partner_id, id)
);
comment on table import_errors is 'What was wrong with the rows of an import. The first fault of a row has the row itself.';

create table import_identities (
  partner_id  text collate "C" not null,
  import_id   text collate "C" not null,
  identity    bytea not null,
  primary key (partner_id, import_id, identity)
);
comment on table import_identities is 'Whom the rows of a dry run would have made, as hashes: a later row of the same file may be about the same.';

create table record_images (
  partner_id  text collate "C" not null,
  source_id   text collate "C" not null,
  record_id   text collate "C" not null,
  version     int not null,
  before      jsonb not null,
  primary key (partner_id, source_id, record_id)
);
comment on table record_images is 'Records as they were before something that can be taken back, such as an import, and the version that it left. An erasure takes them away.';
create index record_images_record on record_images (partner_id, record_id);
