-- What agents can look up.
create table knowledge_sources (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  key text collate "C" not null,
  kind text not null,
  name text not null,
  language text not null,
  url text,
  filename text,
  text text not null default '',
  bytes int not null default 0,
  sha256 text collate "C" not null,
  status text not null,
  error text,
  etag text,
  last_modified text,
  fetched_at timestamptz(3),
  next_fetch_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint knowledge_sources_pkey primary key (partner_id, id),
  constraint knowledge_sources_key_key unique (partner_id, account_id, key),
  constraint knowledge_sources_kind_check check (kind in ('text', 'url', 'file')),
  constraint knowledge_sources_status_check check (status in ('ready', 'fetching', 'failed')),
  constraint knowledge_sources_url_check check ((kind = 'url') = (url is not null and next_fetch_at is not null))
);
alter table knowledge_sources add constraint knowledge_sources_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create index knowledge_sources_account on knowledge_sources (partner_id, account_id, id);
create index knowledge_sources_due on knowledge_sources (next_fetch_at) where next_fetch_at is not null;
comment on table knowledge_sources is 'Texts, pages and files that agents of an account can look up. [agents/knowledge, tenant]';

create table knowledge_chunks (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  source_id text collate "C" not null,
  number int not null,
  language text not null,
  heading text not null,
  text text not null,
  tsv tsvector not null generated always as (
    setweight(to_tsvector('pg_catalog.simple', heading), 'A') || to_tsvector('pg_catalog.simple', text) || case language
      when 'da' then setweight(to_tsvector('pg_catalog.danish', heading), 'A') || to_tsvector('pg_catalog.danish', text)
      when 'de' then setweight(to_tsvector('pg_catalog.german', heading), 'A') || to_tsvector('pg_catalog.german', text)
      when 'en' then setweight(to_tsvector('pg_catalog.english', heading), 'A') || to_tsvector('pg_catalog.english', text)
      when 'es' then setweight(to_tsvector('pg_catalog.spanish', heading), 'A') || to_tsvector('pg_catalog.spanish', text)
      when 'fi' then setweight(to_tsvector('pg_catalog.finnish', heading), 'A') || to_tsvector('pg_catalog.finnish', text)
      when 'fr' then setweight(to_tsvector('pg_catalog.french', heading), 'A') || to_tsvector('pg_catalog.french', text)
      when 'hu' then setweight(to_tsvector('pg_catalog.hungarian', heading), 'A') || to_tsvector('pg_catalog.hungarian', text)
      when 'it' then setweight(to_tsvector('pg_catalog.italian', heading), 'A') || to_tsvector('pg_catalog.italian', text)
      when 'nl' then setweight(to_tsvector('pg_catalog.dutch', heading), 'A') || to_tsvector('pg_catalog.dutch', text)
      when 'no' then setweight(to_tsvector('pg_catalog.norwegian', heading), 'A') || to_tsvector('pg_catalog.norwegian', text)
      when 'pt' then setweight(to_tsvector('pg_catalog.portuguese', heading), 'A') || to_tsvector('pg_catalog.portuguese', text)
      when 'ro' then setweight(to_tsvector('pg_catalog.romanian', heading), 'A') || to_tsvector('pg_catalog.romanian', text)
      when 'ru' then setweight(to_tsvector('pg_catalog.russian', heading), 'A') || to_tsvector('pg_catalog.russian', text)
      when 'sv' then setweight(to_tsvector('pg_catalog.swedish', heading), 'A') || to_tsvector('pg_catalog.swedish', text)
      when 'tr' then setweight(to_tsvector('pg_catalog.turkish', heading), 'A') || to_tsvector('pg_catalog.turkish', text)
      else ''::tsvector
    end) stored,
  constraint knowledge_chunks_pkey primary key (partner_id, source_id, number)
);
alter table knowledge_chunks add constraint knowledge_chunks_partner_id_source_id_fkey foreign key (partner_id, source_id) references knowledge_sources (partner_id, id);
create index knowledge_chunks_words on knowledge_chunks using gin (partner_id, account_id, tsv);
create index knowledge_chunks_similar on knowledge_chunks using gin (partner_id, account_id, lower(text) gin_trgm_ops);
comment on table knowledge_chunks is 'The passages of knowledge sources, by their headings, with their words. [agents/knowledge, tenant]';
