-- People sign in to the portal.
create table sessions (
  id text collate "C" not null,
  hash bytea not null,
  user_id text collate "C" not null,
  agent text not null,
  ip inet not null,
  created_at timestamp(3) with time zone not null,
  authenticated_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null
);
alter table sessions add constraint sessions_pkey primary key (id);
alter table sessions add constraint sessions_user_id_fkey foreign key (user_id) references users (id) on delete cascade;
create unique index sessions_hash on sessions (hash);
create index sessions_user on sessions (user_id);
create index sessions_end on sessions (expires_at);
comment on table sessions is 'People who are signed in, each with the hash of the secret in the cookie. [programme/sessions, local]';

-- Links that sign in, invite, or reset a password. Only the hash of the token is kept.
create table user_links (
  hash bytea not null,
  user_id text collate "C" not null,
  purpose text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null
);
alter table user_links add constraint user_links_pkey primary key (hash);
alter table user_links add constraint user_links_user_id_fkey foreign key (user_id) references users (id) on delete cascade;
alter table user_links add constraint user_links_purpose_check check (purpose in ('sign_in', 'invitation', 'password_reset'));
create index user_links_user on user_links (user_id);
comment on table user_links is 'Links that can be used once: to sign in, to accept an invitation, to reset a password. [programme/users, local]';

-- The second factor of a user: active once confirmed by a first code. Recovery codes are hashes of those not used yet.
create table second_factors (
  user_id text collate "C" not null,
  secret bytea not null,
  confirmed_at timestamp(3) with time zone,
  last_step bigint not null default 0,
  recovery_codes bytea[] not null default '{}',
  created_at timestamp(3) with time zone not null
);
alter table second_factors add constraint second_factors_pkey primary key (user_id);
alter table second_factors add constraint second_factors_user_id_fkey foreign key (user_id) references users (id) on delete cascade;
comment on table second_factors is 'Secrets of authenticator apps, sealed, with recovery codes. [programme/sessions, local]';

-- E-mail that waits to be sent. Its text is made when it is sent, so no token waits here.
create table outgoing_mail (
  id bigint generated always as identity,
  kind text not null,
  about text not null,
  attempts integer not null default 0,
  last_error text,
  created_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null
);
alter table outgoing_mail add constraint outgoing_mail_pkey primary key (id);
create index outgoing_mail_due on outgoing_mail (due_at, id);
comment on table outgoing_mail is 'E-mail that waits to be sent: its kind, and what it is about. Deleted once sent. [platform/mail, local]';

-- The version at which a user last lost a right: stored replies from before are withheld, as they are from keys.
alter table users add column narrowed_version integer not null default 0;
alter table users add column last_seen_at timestamp(3) with time zone;
