create table account_tags (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  description text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint account_tags_pkey primary key (partner_id, id)
);
alter table account_tags add constraint account_tags_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create unique index account_tags_name on account_tags (partner_id, account_id, lower(name));
comment on table account_tags is 'The tags that an account offers for its records. Records keep tags as text and may have others. [accounts/tags, tenant]';

create table message_templates (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  channel text not null,
  subject text,
  text text not null,
  archived boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint message_templates_pkey primary key (partner_id, id),
  constraint message_templates_channel_check check (channel in ('any', 'email', 'sms', 'whatsapp', 'webchat')),
  constraint message_templates_text_check check (length(text) <= 10000)
);
alter table message_templates add constraint message_templates_partner_id_account_id_fkey foreign key (partner_id, account_id) references clients (partner_id, id);
create unique index message_templates_name on message_templates (partner_id, account_id, lower(name)) where not archived;
create index message_templates_account on message_templates (partner_id, account_id, id);
comment on table message_templates is 'Texts of an account with placeholders, for messages that people send again and again. [accounts/templates, tenant]';

-- A view that a snapshot brought has no user. What one shares and what one keeps to oneself may have the same name: a snapshot that renames a shared
-- view does not see the personal ones.
alter table views alter column created_by drop not null;
comment on column views.created_by is 'The user who saved it; null: it came with a snapshot.';
drop index views_name;
create unique index views_name on views (partner_id, created_by, page, coalesce(account_id, ''), lower(name), shared);
create unique index views_brought on views (partner_id, account_id, page, lower(name)) where created_by is null;
create index views_account on views (partner_id, account_id, id) where shared;
