-- The schema after all migrations. Made by `npm run schema`; do not edit.

CREATE OR REPLACE FUNCTION public.add_partitions(parent text, prefix text, first_month date, last_month date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  month date := first_month;
begin
  while month <= last_month loop
    execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
      parent || to_char(month, '_YYYY_MM'), parent,
      first_id_at(prefix, month::timestamp at time zone 'UTC'),
      first_id_at(prefix, (month + interval '1 month') at time zone 'UTC'));
    month := month + interval '1 month';
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.first_id_at(prefix text, at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  -- 48 bits of milliseconds and two zero bits before them: ten groups of five.
  ms bigint := floor(extract(epoch from at) * 1000);
  body text := '';
begin
  for shift in reverse 45..0 by 5 loop
    body := body || substr('0123456789abcdefghjkmnpqrstvwxyz', (((ms >> shift) & 31) + 1)::int, 1);
  end loop;
  return prefix || '_' || rpad(body, 26, '0');
end $function$;

CREATE OR REPLACE FUNCTION public.wire_time(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
RETURN to_char((at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

-- append-only: who did what, as final bytes with the hash that a Merkle tree takes. The address is outside the bytes so that it can be erased.
create table audit_entries (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  action text not null,
  actor_id text collate "C" not null,
  client_id text collate "C",
  outcome text not null,
  ip inet,
  body bytea not null,
  leaf_hash bytea not null,
  constraint audit_entries_pkey PRIMARY KEY (partner_id, id),
  constraint audit_entries_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'denied'::text])))
) partition by RANGE (id);
-- with 31 partitions
CREATE INDEX audit_entries_action ON ONLY public.audit_entries USING btree (partner_id, action, id);
CREATE INDEX audit_entries_actor ON ONLY public.audit_entries USING btree (partner_id, actor_id, id);
CREATE INDEX audit_entries_client ON ONLY public.audit_entries USING btree (partner_id, client_id, id) WHERE (client_id IS NOT NULL);

-- Client accounts, and each partner's own house account.
create table clients (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  house boolean not null default false,
  company text not null,
  external_id text,
  contact jsonb,
  plan text,
  mrr_cents bigint not null default 0,
  currency text not null,
  status text not null,
  status_reason text,
  status_changed_at timestamp(3) with time zone not null,
  branding jsonb,
  metadata jsonb not null default '{}'::jsonb,
  activated_at timestamp(3) with time zone,
  suspended_at timestamp(3) with time zone,
  churned_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint clients_pkey PRIMARY KEY (partner_id, id),
  constraint clients_check CHECK (((NOT house) OR (status = 'active'::text))),
  constraint clients_mrr_cents_check CHECK (((mrr_cents >= 0) AND (mrr_cents <= '9007199254740991'::bigint))),
  constraint clients_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint clients_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'suspended'::text, 'churned'::text])))
);
CREATE UNIQUE INDEX clients_external_id ON public.clients USING btree (partner_id, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX clients_house ON public.clients USING btree (partner_id) WHERE house;
CREATE INDEX clients_status ON public.clients USING btree (partner_id, status, id);

-- Where each event stands in its partner's feed. No seq: committed, not yet placed by the sequencer.
create table event_feed (
  partner_id text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  client_id text collate "C",
  subject text collate "C" not null,
  subject_version integer not null,
  transaction_id text collate "C" not null,
  ordinal integer not null,
  seq bigint,
  constraint event_feed_pkey PRIMARY KEY (partner_id, event_id)
);
CREATE INDEX event_feed_client ON public.event_feed USING btree (partner_id, client_id, seq) WHERE (seq IS NOT NULL);
CREATE UNIQUE INDEX event_feed_seq ON public.event_feed USING btree (partner_id, seq) WHERE (seq IS NOT NULL);
CREATE INDEX event_feed_type ON public.event_feed USING btree (partner_id, type, seq) WHERE (seq IS NOT NULL);
CREATE INDEX event_feed_waiting ON public.event_feed USING btree (partner_id, subject, subject_version) WHERE (seq IS NULL);
CREATE INDEX event_feed_waiting_transaction ON public.event_feed USING btree (partner_id, transaction_id) WHERE (seq IS NULL);

-- append-only: every event as the bytes that are signed and sent.
create table events (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  body bytea not null,
  constraint events_pkey PRIMARY KEY (partner_id, id)
) partition by RANGE (id);
-- with 31 partitions

-- The last seq given in each partner's feed. Only sequencers lock it.
create table feed_heads (
  partner_id text collate "C" not null,
  seq bigint not null default 0,
  constraint feed_heads_pkey PRIMARY KEY (partner_id)
);

-- The reply of each POST that carried an Idempotency-Key, stored with its effect.
create table idempotency_replies (
  partner_id text collate "C" not null,
  actor_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status integer not null,
  headers jsonb not null,
  body bytea,
  sealed boolean not null,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_replies_pkey PRIMARY KEY (partner_id, actor_id, key)
);
CREATE INDEX idempotency_replies_age ON public.idempotency_replies USING btree (created_at);

-- API keys: a partner's, or the operator's (no partner). No clients means all of them. A reference table.
create table keys (
  id text collate "C" not null,
  partner_id text collate "C",
  name text not null,
  hash bytea not null,
  hint text not null,
  scopes text[] not null,
  clients text[],
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint keys_pkey PRIMARY KEY (id),
  constraint keys_clients_check CHECK (((clients IS NULL) OR (cardinality(clients) > 0))),
  constraint keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id)
);
CREATE UNIQUE INDEX keys_hash ON public.keys USING btree (hash);
CREATE INDEX keys_partner ON public.keys USING btree (partner_id, id);

create table migrations (
  number integer not null,
  file text not null,
  checksum text not null,
  applied_at timestamp(3) with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

-- Who sells: the tenants. A reference table.
create table partners (
  id text collate "C" not null,
  parent_id text collate "C",
  company text not null,
  grade text not null default 'registered'::text,
  status text not null default 'active'::text,
  api_access boolean not null default false,
  branding jsonb not null default '{}'::jsonb,
  currency text not null default 'usd'::text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint partners_pkey PRIMARY KEY (id),
  constraint partners_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES partners(id),
  constraint partners_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE INDEX partners_parent ON public.partners USING btree (parent_id) WHERE (parent_id IS NOT NULL);

-- The programme that this installation runs: one row, made by the first run.
create table programme (
  only_row boolean not null default true,
  first_run_at timestamp(3) with time zone not null,
  constraint programme_pkey PRIMARY KEY (only_row),
  constraint programme_only_row_check CHECK (only_row)
);

-- People who sign in: a partner's team, or the operator's (no partner). A reference table.
create table users (
  id text collate "C" not null,
  partner_id text collate "C",
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_check CHECK (((role = 'operator'::text) = (partner_id IS NULL))),
  constraint users_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'read_only'::text, 'operator'::text])))
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));
CREATE INDEX users_partner ON public.users USING btree (partner_id, id);
