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

CREATE OR REPLACE FUNCTION public.client_search_text(company text, external_id text, contact jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(((((((((company || '
'::text) || COALESCE(external_id, ''::text)) || '
'::text) || COALESCE((contact ->> 'name'::text), ''::text)) || '
'::text) || COALESCE((contact ->> 'email'::text), ''::text)) || '
'::text) || COALESCE((contact ->> 'phone'::text), ''::text)));

CREATE OR REPLACE FUNCTION public.confirm(holds boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if holds is not true then
    raise exception 'what the transaction assumed does not hold' using errcode = 'TB001';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.contact_search_text(name text, email text, phone text, company text, notes text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(((((((((name || '
'::text) || COALESCE(email, ''::text)) || '
'::text) || COALESCE(phone, ''::text)) || '
'::text) || COALESCE(company, ''::text)) || '
'::text) || COALESCE(notes, ''::text)));

CREATE OR REPLACE FUNCTION public.deal_close_time(day date)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((COALESCE(day, '9999-12-31'::date))::timestamp without time zone AT TIME ZONE 'UTC'::text);

CREATE OR REPLACE FUNCTION public.deal_search_text(name text, company text, notes text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(((((name || '
'::text) || COALESCE(company, ''::text)) || '
'::text) || COALESCE(notes, ''::text)));

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

CREATE OR REPLACE FUNCTION public.lease_tokens(for_bucket text, per_second double precision, burst double precision, needed double precision, slot_seconds double precision, gone double precision, gone_slot bigint, OUT granted double precision, OUT tokens_left double precision, OUT granted_slot bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  held rate_buckets;
  now_at timestamptz;
  in_slot double precision;
  in_slot_before double precision;
begin
  insert into rate_buckets values (for_bucket, burst, clock_timestamp(), 0, 0, 0) on conflict (bucket) do nothing;
  select * into held from rate_buckets b where b.bucket = for_bucket for update;
  -- Read after the lock, so that time never runs backwards between two processes.
  now_at := clock_timestamp();
  granted_slot := floor(extract(epoch from now_at) / slot_seconds);
  in_slot := case when granted_slot = held.slot then held.leased_now else 0 end;
  in_slot_before := case granted_slot - held.slot when 0 then held.leased_before when 1 then held.leased_now else 0 end;
  if gone_slot = granted_slot then in_slot := greatest(0, in_slot - gone); end if;
  if gone_slot = granted_slot - 1 then in_slot_before := greatest(0, in_slot_before - gone); end if;
  tokens_left := least(
    held.tokens + per_second * extract(epoch from now_at - held.refilled_at),
    greatest(burst - in_slot - in_slot_before, held.tokens));
  granted := floor(least(tokens_left, greatest(needed, tokens_left / 16)));
  tokens_left := tokens_left - granted;
  update rate_buckets b set tokens = tokens_left, refilled_at = now_at, slot = granted_slot,
    leased_now = in_slot + granted, leased_before = in_slot_before
  where b.bucket = for_bucket;
end $function$;

CREATE OR REPLACE FUNCTION public.search_keys(partner_id text, account_id text, id text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY[hashtextextended(partner_id, (0)::bigint), hashtextextended(account_id, (0)::bigint), hashtextextended((partner_id || "left"(id, '-21'::integer)), (0)::bigint), hashtextextended((partner_id || "left"(id, '-22'::integer)), (0)::bigint)];

CREATE OR REPLACE FUNCTION public.wire_time(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
RETURN to_char((at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

-- Requests of partners for access to the partner API during the private beta. [programme/partners, global]
create table access_requests (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  status text not null,
  message text,
  requested_by text collate "C" not null,
  decided_by text collate "C",
  reason text,
  created_at timestamp(3) with time zone not null,
  decided_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint access_requests_pkey PRIMARY KEY (partner_id, id),
  constraint access_requests_check CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  constraint access_requests_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint access_requests_status_check CHECK ((status = ANY (ARRAY['open'::text, 'granted'::text, 'declined'::text])))
);
CREATE INDEX access_requests_id ON public.access_requests USING btree (id);
CREATE UNIQUE INDEX access_requests_open ON public.access_requests USING btree (partner_id) WHERE (status = 'open'::text);
CREATE INDEX access_requests_status ON public.access_requests USING btree (status, id);

-- The tags that an account offers for its records. Records keep tags as text and may have others. [accounts/tags, tenant]
create table account_tags (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  description text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint account_tags_pkey PRIMARY KEY (partner_id, id),
  constraint account_tags_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id)
);
CREATE UNIQUE INDEX account_tags_name ON public.account_tags USING btree (partner_id, account_id, lower(name));

-- The links that a partner shares, where each leads, and for how many days a click counts. code_key is the code without what is easily confused. [money/links, tenant]
create table affiliate_links (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  code text collate "C" not null,
  code_key text collate "C" not null,
  destination_url text not null,
  campaign text,
  window_days integer not null,
  expires_at timestamp(3) with time zone,
  status text not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  archived_before_block boolean not null default false,
  constraint affiliate_links_pkey PRIMARY KEY (partner_id, id),
  constraint affiliate_links_code_key UNIQUE (partner_id, code_key),
  constraint affiliate_links_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text, 'blocked'::text]))),
  constraint affiliate_links_window_days_check CHECK (((window_days >= 1) AND (window_days <= 365)))
);
CREATE INDEX affiliate_links_campaign ON public.affiliate_links USING btree (partner_id, lower(campaign), id) WHERE (campaign IS NOT NULL);
CREATE INDEX affiliate_links_status ON public.affiliate_links USING btree (partner_id, status, id);

-- What an agent remembers of a conversation, from its first answer to a hand-off or an end. [agents/sessions, tenant]
create table agent_sessions (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version integer not null,
  conversation_id text collate "C" not null,
  channel_kind text not null,
  status text not null,
  outcome jsonb,
  memory jsonb not null,
  turns integer not null default 0,
  last_ordinal integer not null,
  started_at timestamp(3) with time zone not null,
  last_turn_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  version integer not null default 1,
  usage jsonb not null default '{"requests": 0, "input_tokens": 0, "output_tokens": 0}'::jsonb,
  feedback jsonb,
  constraint agent_sessions_pkey PRIMARY KEY (partner_id, id),
  constraint agent_sessions_ended_check CHECK (((status = ANY (ARRAY['active'::text, 'waiting'::text])) = (ended_at IS NULL))),
  constraint agent_sessions_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint agent_sessions_partner_id_conversation_id_fkey FOREIGN KEY (partner_id, conversation_id) REFERENCES conversations(partner_id, id),
  constraint agent_sessions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'waiting'::text, 'handed_off'::text, 'completed'::text, 'expired'::text, 'failed'::text])))
);
CREATE INDEX agent_sessions_agent ON public.agent_sessions USING btree (partner_id, agent_id, id);
CREATE INDEX agent_sessions_conversation ON public.agent_sessions USING btree (partner_id, conversation_id, id);
CREATE INDEX agent_sessions_idle ON public.agent_sessions USING btree (last_turn_at) WHERE (status = ANY (ARRAY['active'::text, 'waiting'::text]));
CREATE UNIQUE INDEX agent_sessions_open ON public.agent_sessions USING btree (partner_id, conversation_id) WHERE (status = ANY (ARRAY['active'::text, 'waiting'::text]));

-- Runs of all tests of an agent on a version, with a result for each, for 90 days. [agents/suites, tenant]
create table agent_test_runs (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version integer not null,
  compare_to integer,
  sha256 text collate "C" not null,
  status text not null default 'queued'::text,
  tests jsonb not null,
  results jsonb not null default '[]'::jsonb,
  total integer not null,
  passed integer not null default 0,
  failed integer not null default 0,
  error text,
  claimed_by text collate "C",
  claimed_until timestamp(3) with time zone,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  constraint agent_test_runs_pkey PRIMARY KEY (partner_id, id),
  constraint agent_test_runs_finished_check CHECK (((status = ANY (ARRAY['passed'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint agent_test_runs_partner_id_agent_id_fkey FOREIGN KEY (partner_id, agent_id) REFERENCES agents(partner_id, id),
  constraint agent_test_runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'passed'::text, 'failed'::text])))
);
CREATE INDEX agent_test_runs_agent ON public.agent_test_runs USING btree (partner_id, agent_id, id);
CREATE INDEX agent_test_runs_created ON public.agent_test_runs USING btree (created_at);
CREATE INDEX agent_test_runs_open ON public.agent_test_runs USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

-- Conversations of the sandbox that an agent has to pass. [agents/suites, tenant]
create table agent_tests (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  name text not null,
  request jsonb not null,
  session_id text collate "C",
  person_ids text[] collate "C" not null default '{}'::text[],
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint agent_tests_pkey PRIMARY KEY (partner_id, id),
  constraint agent_tests_partner_id_agent_id_fkey FOREIGN KEY (partner_id, agent_id) REFERENCES agents(partner_id, id)
);
CREATE INDEX agent_tests_agent ON public.agent_tests USING btree (partner_id, agent_id, id);
CREATE UNIQUE INDEX agent_tests_name ON public.agent_tests USING btree (partner_id, agent_id, lower(name));
CREATE INDEX agent_tests_people ON public.agent_tests USING gin (partner_id, person_ids) WHERE (person_ids <> '{}'::text[]);

-- What agents do on messages: at most one turn of a conversation waits and one runs. The journal has the answers from outside. [agents/sessions, tenant]
create table agent_turns (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  conversation_id text collate "C" not null,
  session_id text collate "C",
  state text not null default 'queued'::text,
  follow_up text,
  run_at timestamp(3) with time zone not null,
  token bigint,
  upto_ordinal integer,
  claimed_by text collate "C",
  claimed_until timestamp(3) with time zone,
  attempts integer not null default 0,
  journal jsonb not null default '[]'::jsonb,
  said jsonb not null default '[]'::jsonb,
  visited jsonb not null default '[]'::jsonb,
  calls jsonb not null default '[]'::jsonb,
  hits jsonb not null default '[]'::jsonb,
  latency_ms integer,
  error text,
  created_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  approval_id text collate "C",
  spoke text,
  usage jsonb not null default '{"requests": 0, "input_tokens": 0, "output_tokens": 0}'::jsonb,
  failures jsonb not null default '[]'::jsonb,
  constraint agent_turns_pkey PRIMARY KEY (partner_id, id),
  constraint agent_turns_claim_check CHECK (((state = 'running'::text) = (claimed_until IS NOT NULL))),
  constraint agent_turns_partner_id_conversation_id_fkey FOREIGN KEY (partner_id, conversation_id) REFERENCES conversations(partner_id, id),
  constraint agent_turns_spoke_check CHECK ((spoke = ANY (ARRAY['playbook'::text, 'model'::text]))),
  constraint agent_turns_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'approved'::text, 'running'::text, 'done'::text, 'superseded'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX agent_turns_approval ON public.agent_turns USING btree (partner_id, approval_id) WHERE (approval_id IS NOT NULL);
CREATE INDEX agent_turns_approved ON public.agent_turns USING btree (run_at) WHERE (state = 'approved'::text);
CREATE INDEX agent_turns_claimed ON public.agent_turns USING btree (claimed_until) WHERE (state = 'running'::text);
CREATE INDEX agent_turns_due ON public.agent_turns USING btree (run_at) WHERE (state = 'queued'::text);
CREATE UNIQUE INDEX agent_turns_queued ON public.agent_turns USING btree (partner_id, conversation_id) WHERE (state = 'queued'::text);
CREATE UNIQUE INDEX agent_turns_running ON public.agent_turns USING btree (partner_id, conversation_id) WHERE (state = 'running'::text);
CREATE INDEX agent_turns_session ON public.agent_turns USING btree (partner_id, session_id, id) WHERE (session_id IS NOT NULL);

-- What agents say and do. The content of a version never changes once it has been published. [agents/definitions, tenant]
create table agent_versions (
  partner_id text collate "C" not null,
  agent_id text collate "C" not null,
  number integer not null,
  content jsonb not null,
  sha256 text collate "C" not null,
  note text,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  published_by text collate "C",
  published_at timestamp(3) with time zone,
  secrets bytea,
  constraint agent_versions_pkey PRIMARY KEY (partner_id, agent_id, number),
  constraint agent_versions_partner_id_agent_id_fkey FOREIGN KEY (partner_id, agent_id) REFERENCES agents(partner_id, id)
);

-- Agents that answer on channels of an account. [agents/definitions, tenant]
create table agents (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  description text,
  status text not null default 'draft'::text,
  mode text not null,
  limits jsonb not null,
  latest_version integer not null,
  published_version integer,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint agents_pkey PRIMARY KEY (partner_id, id),
  constraint agents_mode_check CHECK ((mode = ANY (ARRAY['off'::text, 'suggest'::text, 'autopilot'::text]))),
  constraint agents_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint agents_published_check CHECK (((status <> ALL (ARRAY['active'::text, 'paused'::text])) OR (published_version IS NOT NULL))),
  constraint agents_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text, 'archived'::text])))
);
CREATE INDEX agents_account ON public.agents USING btree (partner_id, account_id, id);
CREATE UNIQUE INDEX agents_name ON public.agents USING btree (partner_id, account_id, lower(name)) WHERE (status <> 'archived'::text);

-- The bytes of attachments in pieces of 256 KiB, stored while a file is uploaded and before its row. [inbox/conversations, tenant]
create table attachment_chunks (
  partner_id text collate "C" not null,
  attachment_id text collate "C" not null,
  number integer not null,
  bytes bytea not null,
  constraint attachment_chunks_pkey PRIMARY KEY (partner_id, attachment_id, number)
);

-- Files of messages. One that no message uses is deleted after a day. [inbox/conversations, tenant]
create table attachments (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  message_id text collate "C",
  "position" integer not null default 0,
  name text not null,
  media_type text not null,
  bytes bigint not null,
  sha256 bytea not null,
  created_at timestamp(3) with time zone not null,
  constraint attachments_pkey PRIMARY KEY (partner_id, id),
  constraint attachments_bytes_check CHECK ((bytes >= 0)),
  constraint attachments_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id)
);
CREATE INDEX attachments_account ON public.attachments USING btree (partner_id, account_id) INCLUDE (bytes);
CREATE INDEX attachments_message ON public.attachments USING btree (partner_id, message_id, "position") WHERE (message_id IS NOT NULL);
CREATE INDEX attachments_unused ON public.attachments USING btree (partner_id, created_at) WHERE (message_id IS NULL);

-- append-only but for: link_id, click_id, clicked_at. The leads and deals that came by a link, with the click that proves it. [money/links, tenant]
create table attributions (
  partner_id text collate "C" not null,
  record_id text collate "C" not null,
  kind text not null,
  link_id text collate "C" not null,
  click_id text collate "C" not null,
  clicked_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint attributions_pkey PRIMARY KEY (partner_id, record_id),
  constraint attributions_kind_check CHECK ((kind = ANY (ARRAY['lead'::text, 'deal'::text]))),
  constraint attributions_partner_id_link_id_fkey FOREIGN KEY (partner_id, link_id) REFERENCES affiliate_links(partner_id, id)
);
CREATE INDEX attributions_link ON public.attributions USING btree (partner_id, link_id, created_at);

-- append-only: who did what, as final bytes with the leaf hash of a Merkle tree. The IP address is outside the bytes so that it can be erased. [platform/record, tenant]
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
  tallied boolean not null default false,
  target text collate "C",
  constraint audit_entries_pkey PRIMARY KEY (partner_id, id),
  constraint audit_entries_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'denied'::text])))
) partition by RANGE (id);
-- with 31 partitions
CREATE INDEX audit_entries_client_actions ON ONLY public.audit_entries USING btree (partner_id, client_id, id) WHERE ((client_id IS NOT NULL) AND (NOT tallied));
CREATE INDEX audit_entries_client_itself ON ONLY public.audit_entries USING btree (partner_id, client_id, id) WHERE ((target = client_id) AND (NOT tallied));
CREATE INDEX audit_entries_client_reads ON ONLY public.audit_entries USING btree (partner_id, client_id, id) WHERE ((client_id IS NOT NULL) AND tallied);
CREATE INDEX audit_entries_denied ON ONLY public.audit_entries USING btree (partner_id, id) WHERE (outcome = 'denied'::text);
CREATE INDEX audit_entries_payments ON ONLY public.audit_entries USING btree (partner_id, client_id, id) WHERE ((action ~~ 'payments.%'::text) AND (NOT tallied));
CREATE INDEX audit_entries_target ON ONLY public.audit_entries USING btree (partner_id, target, id) WHERE (target IS DISTINCT FROM client_id);

-- append-only: the leaf hashes of audit entries that retention has dropped, so that proofs stay valid. [platform/record, tenant]
create table audit_leaves (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  leaf_hash bytea not null,
  constraint audit_leaves_pkey PRIMARY KEY (partner_id, id)
);

-- The money of one partner. Whoever changes it locks this row first. [money/ledger, tenant]
create table books (
  partner_id text collate "C" not null,
  statement_seq integer not null default 0,
  payouts_held boolean not null default false,
  hold_reason text,
  version integer not null default 1,
  constraint books_pkey PRIMARY KEY (partner_id)
);

-- append-only but for: ended_at, end_reason. The certifications of a partner. [money/standing, tenant]
create table certification_grants (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  certification_id text collate "C" not null,
  granted_by text collate "C" not null,
  granted_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  end_reason text,
  constraint certification_grants_pkey PRIMARY KEY (partner_id, id),
  constraint certification_grants_certification_id_fkey FOREIGN KEY (certification_id) REFERENCES certifications(id),
  constraint certification_grants_check CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
  constraint certification_grants_end_reason_check CHECK ((end_reason = ANY (ARRAY['expired'::text, 'revoked'::text])))
);
CREATE INDEX certification_grants_expiry ON public.certification_grants USING btree (expires_at) WHERE ((ended_at IS NULL) AND (expires_at IS NOT NULL));
CREATE UNIQUE INDEX certification_grants_held ON public.certification_grants USING btree (partner_id, certification_id) WHERE (ended_at IS NULL);

-- What partners can be certified in, for how long, and the grade that it lifts them to. [programme/tiers, global]
create table certifications (
  id text collate "C" not null,
  name text not null,
  description text,
  valid_days integer,
  lifts_to text collate "C",
  archived boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint certifications_pkey PRIMARY KEY (id),
  constraint certifications_lifts_to_fkey FOREIGN KEY (lifts_to) REFERENCES tiers(grade),
  constraint certifications_valid_days_check CHECK (((valid_days >= 1) AND (valid_days <= 3650)))
);
CREATE UNIQUE INDEX certifications_name ON public.certifications USING btree (lower(name));

-- Changes of records, as a feed. seq is null from commit until the sequencer assigns it. [platform/record, tenant]
create table change_feed (
  partner_id text collate "C" not null,
  change_id text collate "C" not null,
  resource text not null,
  account_id text collate "C" not null,
  subject text collate "C" not null,
  subject_version integer not null,
  change text not null,
  transaction_id text collate "C" not null,
  ordinal integer not null,
  seq bigint,
  detail jsonb
) with (fillfactor=45);
CREATE INDEX change_feed_account ON public.change_feed USING btree (partner_id, account_id, seq) WHERE (seq IS NOT NULL);
CREATE INDEX change_feed_pending ON public.change_feed USING btree (partner_id, change_id) WHERE (seq IS NULL);
CREATE UNIQUE INDEX change_feed_seq ON public.change_feed USING btree (partner_id, seq) WHERE (seq IS NOT NULL);

-- The last seq assigned in each partners change feed, and the last one that retention trimmed. Only the sequencer and retention lock it. [platform/record, tenant]
create table change_heads (
  partner_id text collate "C" not null,
  seq bigint not null default 0,
  trimmed_seq bigint not null default 0,
  constraint change_heads_pkey PRIMARY KEY (partner_id)
);

-- Where an account exchanges messages with people. Secrets are sealed; the token names it in public paths. [inbox/channels, tenant]
create table channels (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  kind text not null,
  name text not null,
  status text not null default 'active'::text,
  config jsonb not null,
  secrets bytea,
  token text collate "C" not null,
  agent_id text collate "C",
  hours jsonb,
  timezone text,
  per_minute integer not null,
  last_error jsonb,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint channels_pkey PRIMARY KEY (partner_id, id),
  constraint channels_kind_check CHECK ((kind = ANY (ARRAY['webchat'::text, 'email'::text, 'sms'::text, 'whatsapp'::text, 'api'::text, 'simulator'::text]))),
  constraint channels_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint channels_per_minute_check CHECK (((per_minute >= 1) AND (per_minute <= 100000))),
  constraint channels_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'error'::text])))
);
CREATE INDEX channels_account ON public.channels USING btree (partner_id, account_id, id);
CREATE INDEX channels_addresses ON public.channels USING btree (partner_id, lower((config ->> 'from'::text))) WHERE (kind = 'email'::text);
CREATE UNIQUE INDEX channels_name ON public.channels USING btree (partner_id, account_id, lower(name)) WHERE (archived_at IS NULL);

-- append-only but for: refunded_cents, deal_id, round, levels, outcome. What clients paid, without tax, the sale that it earned for, and as bits the levels above the seller that earned too. [money/charges, tenant]
create table charges (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  external_id text collate "C" not null,
  client_id text collate "C" not null,
  source text not null,
  amount_cents bigint not null,
  currency text collate "C" not null,
  months integer not null,
  plan text,
  charged_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  refunded_cents bigint not null default 0,
  deal_id text collate "C",
  round integer,
  levels integer not null default 0,
  outcome text not null,
  constraint charges_pkey PRIMARY KEY (partner_id, id),
  constraint charges_amount_cents_check CHECK (((amount_cents >= 0) AND (amount_cents <= '9007199254740991'::bigint))),
  constraint charges_external_id UNIQUE (partner_id, external_id),
  constraint charges_months_check CHECK (((months >= 1) AND (months <= 120))),
  constraint charges_outcome_check CHECK ((outcome = ANY (ARRAY['earned'::text, 'no_sale'::text, 'outside_window'::text, 'zero'::text]))),
  constraint charges_partner_id_client_id_fkey FOREIGN KEY (partner_id, client_id) REFERENCES clients(partner_id, id),
  constraint charges_refunded_cents_check CHECK (((refunded_cents >= 0) AND (refunded_cents <= amount_cents))),
  constraint charges_source_check CHECK ((source = ANY (ARRAY['operator'::text, 'billing'::text])))
);
CREATE INDEX charges_at ON public.charges USING btree (partner_id, charged_at, id);
CREATE INDEX charges_client ON public.charges USING btree (partner_id, client_id, charged_at, id);
CREATE INDEX charges_deal ON public.charges USING btree (partner_id, deal_id, round) WHERE (deal_id IS NOT NULL);
CREATE INDEX charges_id ON public.charges USING hash (id);
CREATE INDEX charges_outcome ON public.charges USING btree (partner_id, outcome, charged_at, id);

-- The salts of visitors, one a day. Without its salt, a visitor cannot be recognised any more: it is deleted after two days. [money/links, global]
create table click_salts (
  day date not null,
  salt bytea not null,
  constraint click_salts_pkey PRIMARY KEY (day)
);

-- append-only: the clicks of links. The visitor is a hash under a salt of the day, for one link; there is no address. [money/links, tenant]
create table clicks (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  link_id text collate "C" not null,
  visitor bytea not null,
  referrer_host text,
  bot text,
  repeat boolean not null,
  constraint clicks_pkey PRIMARY KEY (partner_id, id),
  constraint clicks_bot_check CHECK ((bot = ANY (ARRAY['agent'::text, 'prefetch'::text])))
) partition by RANGE (id);
-- with 31 partitions

-- append-only: by how much each change of a client changed the number and the monthly revenue of active clients. [accounts/clients, tenant]
create table client_movements (
  partner_id text collate "C" not null,
  at timestamp(3) with time zone not null,
  client_id text collate "C" not null,
  version integer not null,
  currency text not null,
  mrr_cents bigint not null,
  clients integer not null,
  constraint client_movements_pkey PRIMARY KEY (partner_id, at, client_id, version, currency) INCLUDE (mrr_cents, clients),
  constraint client_movements_clients_check CHECK (((clients >= '-1'::integer) AND (clients <= 1)))
);

-- Client accounts, and each partners own house account. [accounts/clients, tenant]
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
  tags text[] not null default '{}'::text[],
  shared_phones boolean not null default false,
  snapshots jsonb not null default '[]'::jsonb,
  constraint clients_pkey PRIMARY KEY (partner_id, id),
  constraint clients_check CHECK (((NOT house) OR (status = 'active'::text))),
  constraint clients_mrr_cents_check CHECK (((mrr_cents >= 0) AND (mrr_cents <= '9007199254740991'::bigint))),
  constraint clients_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'suspended'::text, 'churned'::text])))
);
CREATE INDEX clients_company ON public.clients USING btree (partner_id, lower(company), id);
CREATE UNIQUE INDEX clients_external_id ON public.clients USING btree (partner_id, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX clients_house ON public.clients USING btree (partner_id) WHERE house;
CREATE INDEX clients_id ON public.clients USING hash (id);
CREATE INDEX clients_plan ON public.clients USING btree (partner_id, plan, id) WHERE (plan IS NOT NULL);
CREATE INDEX clients_search ON public.clients USING gin (client_search_text(company, external_id, contact) gin_trgm_ops, search_keys(partner_id, partner_id, id));
CREATE INDEX clients_snapshots ON public.clients USING gin (partner_id, snapshots jsonb_path_ops) WHERE (snapshots <> '[]'::jsonb);
CREATE INDEX clients_status ON public.clients USING btree (partner_id, status, id);
CREATE INDEX clients_tags ON public.clients USING gin (partner_id, tags);
CREATE INDEX clients_updated ON public.clients USING btree (partner_id, updated_at, id);

-- append-only: the versions of the rules that say what a sale earns. The newest version of a rule is in force. [programme/rules, global]
create table commission_rules (
  id text collate "C" not null,
  version integer not null,
  name text not null,
  scope text not null,
  grade text collate "C",
  partner_id text collate "C",
  priority integer not null,
  active boolean not null,
  plan text,
  currency text,
  min_mrr_cents bigint,
  first jsonb not null,
  recurring jsonb not null,
  months integer,
  applies_to text not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  link_id text collate "C",
  constraint commission_rules_pkey PRIMARY KEY (id, version),
  constraint commission_rules_applies_to_check CHECK ((applies_to = ANY (ARRAY['new_deals'::text, 'all_charges'::text]))),
  constraint commission_rules_grade_check CHECK (((scope = 'grade'::text) = (grade IS NOT NULL))),
  constraint commission_rules_link_check CHECK (((scope = 'link'::text) = (link_id IS NOT NULL))),
  constraint commission_rules_months_check CHECK (((months >= 1) AND (months <= 1200))),
  constraint commission_rules_partner_check CHECK (((scope = 'partner'::text) = (partner_id IS NOT NULL))),
  constraint commission_rules_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint commission_rules_scope_check CHECK ((scope = ANY (ARRAY['programme'::text, 'grade'::text, 'partner'::text, 'link'::text])))
);

-- append-only but for: status, hold_until, hold_reason, payout_id, version. Each amount that was earned or taken back. A root and the rows that name it move together. [money/commissions, tenant]
create table commissions (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  cause text collate "C" not null,
  kind text not null,
  level integer not null,
  deal_id text collate "C",
  round integer,
  client_id text collate "C",
  charge_id text collate "C",
  refund_id text collate "C",
  root_id text collate "C",
  source_commission_id text collate "C",
  source_partner_id text collate "C",
  origin_partner_id text collate "C",
  origin_commission_id text collate "C",
  base_cents bigint not null,
  rate_bps integer not null,
  amount_cents bigint not null,
  currency text collate "C" not null,
  grade text collate "C" not null,
  rule jsonb,
  calculation jsonb not null,
  reason_code text,
  accrued_at timestamp(3) with time zone not null,
  status text not null,
  hold_until timestamp(3) with time zone,
  hold_reason text,
  payout_id text collate "C",
  version integer not null default 1,
  constraint commissions_pkey PRIMARY KEY (partner_id, id),
  constraint commissions_amount_cents_check CHECK ((amount_cents <> 0)),
  constraint commissions_cause UNIQUE (partner_id, cause),
  constraint commissions_kind_check CHECK ((kind = ANY (ARRAY['first'::text, 'recurring'::text, 'override'::text, 'adjustment'::text, 'reversal'::text, 'marketplace'::text]))),
  constraint commissions_level_check CHECK (((level >= 0) AND (level <= 3))),
  constraint commissions_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES books(partner_id),
  constraint commissions_partner_id_root_id_fkey FOREIGN KEY (partner_id, root_id) REFERENCES commissions(partner_id, id),
  constraint commissions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'held'::text, 'approved'::text, 'scheduled'::text, 'paid'::text, 'void'::text])))
);
CREATE INDEX commissions_approved ON public.commissions USING btree (partner_id, currency, hold_until) INCLUDE (amount_cents) WHERE (status = 'approved'::text);
CREATE INDEX commissions_charge ON public.commissions USING btree (partner_id, charge_id, id) WHERE (charge_id IS NOT NULL);
CREATE INDEX commissions_client ON public.commissions USING btree (partner_id, client_id, id) WHERE (client_id IS NOT NULL);
CREATE INDEX commissions_currency ON public.commissions USING btree (partner_id, currency, id);
CREATE INDEX commissions_deal ON public.commissions USING btree (partner_id, deal_id, id) WHERE (deal_id IS NOT NULL);
CREATE INDEX commissions_due ON public.commissions USING btree (hold_until) WHERE ((status = 'pending'::text) AND (hold_until IS NOT NULL));
CREATE INDEX commissions_id ON public.commissions USING hash (id);
CREATE INDEX commissions_kind ON public.commissions USING btree (partner_id, kind, id);
CREATE INDEX commissions_level ON public.commissions USING btree (partner_id, level, id);
CREATE INDEX commissions_payout ON public.commissions USING btree (partner_id, payout_id, id) WHERE (payout_id IS NOT NULL);
CREATE INDEX commissions_pending ON public.commissions USING btree (partner_id, currency, hold_until) INCLUDE (amount_cents) WHERE (status = 'pending'::text);
CREATE INDEX commissions_root ON public.commissions USING btree (partner_id, root_id) WHERE (root_id IS NOT NULL);
CREATE INDEX commissions_source_partner ON public.commissions USING btree (partner_id, source_partner_id, id) WHERE (source_partner_id IS NOT NULL);
CREATE INDEX commissions_status ON public.commissions USING btree (partner_id, status, id);

-- The history of a contacts consent with its source. The contacts row has the latest. [crm/contacts, tenant]
create table contact_consents (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C" not null,
  channel text not null,
  status text not null,
  source text,
  at timestamp(3) with time zone not null,
  recorded_at timestamp(3) with time zone not null,
  constraint contact_consents_pkey PRIMARY KEY (partner_id, id),
  constraint contact_consents_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'email'::text, 'whatsapp'::text, 'calls'::text]))),
  constraint contact_consents_partner_id_contact_id_fkey FOREIGN KEY (partner_id, contact_id) REFERENCES contacts(partner_id, id),
  constraint contact_consents_status_check CHECK ((status = ANY (ARRAY['granted'::text, 'denied'::text, 'unknown'::text])))
);
CREATE INDEX contact_consents_contact ON public.contact_consents USING btree (partner_id, contact_id, id);

-- Merges of two contacts: both as they were, and their versions afterwards. Erasure clears the former. [crm/contacts, tenant]
create table contact_merges (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  into_id text collate "C" not null,
  from_id text collate "C" not null,
  into_before jsonb,
  from_before jsonb,
  into_version integer not null,
  from_version integer not null,
  created_at timestamp(3) with time zone not null,
  undone_at timestamp(3) with time zone,
  constraint contact_merges_pkey PRIMARY KEY (partner_id, id),
  constraint contact_merges_partner_id_from_id_fkey FOREIGN KEY (partner_id, from_id) REFERENCES contacts(partner_id, id),
  constraint contact_merges_partner_id_into_id_fkey FOREIGN KEY (partner_id, into_id) REFERENCES contacts(partner_id, id)
);
CREATE INDEX contact_merges_from ON public.contact_merges USING btree (partner_id, from_id);
CREATE INDEX contact_merges_into ON public.contact_merges USING btree (partner_id, into_id);

-- The people that an account deals with. Deleted and merged ones are kept for 30 days; an erased one keeps only its ids. [crm/contacts, tenant]
create table contacts (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  phone text collate "C",
  phone_shared boolean not null default false,
  email text,
  company text,
  tags text[] not null default '{}'::text[],
  notes text,
  custom jsonb not null default '{}'::jsonb,
  owner_id text collate "C",
  external_id text,
  consent jsonb not null default '{}'::jsonb,
  merged_into text collate "C",
  deleted_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint contacts_pkey PRIMARY KEY (partner_id, id),
  constraint contacts_check CHECK (((phone IS NOT NULL) OR (erased_at IS NOT NULL))),
  constraint contacts_check1 CHECK (((deleted_at IS NOT NULL) OR ((merged_into IS NULL) AND (erased_at IS NULL)))),
  constraint contacts_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint contacts_partner_id_merged_into_fkey FOREIGN KEY (partner_id, merged_into) REFERENCES contacts(partner_id, id)
);
CREATE INDEX contacts_account ON public.contacts USING btree (partner_id, account_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_company ON public.contacts USING btree (partner_id, lower(company), id) WHERE ((deleted_at IS NULL) AND (company IS NOT NULL));
CREATE INDEX contacts_custom ON public.contacts USING gin (partner_id, custom jsonb_path_ops) WHERE ((deleted_at IS NULL) AND (custom <> '{}'::jsonb));
CREATE INDEX contacts_deleted ON public.contacts USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE UNIQUE INDEX contacts_email ON public.contacts USING btree (partner_id, account_id, lower(email)) WHERE ((deleted_at IS NULL) AND (email IS NOT NULL));
CREATE UNIQUE INDEX contacts_external_id ON public.contacts USING btree (partner_id, account_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX contacts_merged ON public.contacts USING btree (partner_id, merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX contacts_name ON public.contacts USING btree (partner_id, lower(name), id) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_owner ON public.contacts USING btree (partner_id, owner_id, id) WHERE ((deleted_at IS NULL) AND (owner_id IS NOT NULL));
CREATE UNIQUE INDEX contacts_phone ON public.contacts USING btree (partner_id, account_id, phone) WHERE ((deleted_at IS NULL) AND (NOT phone_shared));
CREATE INDEX contacts_phone_shared ON public.contacts USING btree (partner_id, account_id, phone) WHERE ((deleted_at IS NULL) AND phone_shared);
CREATE INDEX contacts_search ON public.contacts USING gin (contact_search_text(name, email, phone, company, notes) gin_trgm_ops, search_keys(partner_id, account_id, id)) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_tags ON public.contacts USING gin (partner_id, tags) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_updated ON public.contacts USING btree (partner_id, updated_at, id) WHERE (deleted_at IS NULL);

-- Exchanges of messages with one address on a channel. owner_token rises with every change of the owner. [inbox/conversations, tenant]
create table conversations (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  channel_id text collate "C" not null,
  channel_kind text not null,
  address text collate "C" not null,
  thread text collate "C" not null default ''::text,
  person_id text collate "C",
  subject text,
  tags text[] not null default '{}'::text[],
  priority text not null default 'normal'::text,
  status text not null default 'open'::text,
  owner_kind text not null default 'none'::text,
  owner_id text collate "C",
  owner_token bigint not null default 1,
  return_at timestamp(3) with time zone,
  reply_token text collate "C" not null,
  last_ordinal integer not null default 0,
  last_message_id text collate "C",
  last_message_at timestamp(3) with time zone not null,
  last_inbound_at timestamp(3) with time zone,
  unread integer not null default 0,
  waiting_since timestamp(3) with time zone,
  snoozed_until timestamp(3) with time zone,
  previous_id text collate "C",
  closed_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint conversations_pkey PRIMARY KEY (partner_id, id),
  constraint conversations_archived_check CHECK (((archived_at IS NULL) OR (status = 'closed'::text))),
  constraint conversations_owner_check CHECK (((owner_kind = 'human'::text) OR ((owner_kind = 'none'::text) = (owner_id IS NULL)))),
  constraint conversations_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['none'::text, 'agent'::text, 'human'::text]))),
  constraint conversations_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint conversations_partner_id_channel_id_fkey FOREIGN KEY (partner_id, channel_id) REFERENCES channels(partner_id, id),
  constraint conversations_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'normal'::text, 'high'::text, 'urgent'::text]))),
  constraint conversations_snoozed_check CHECK (((status = 'snoozed'::text) = (snoozed_until IS NOT NULL))),
  constraint conversations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'snoozed'::text, 'closed'::text])))
);
CREATE INDEX conversations_account ON public.conversations USING btree (partner_id, account_id, last_message_at, id) WHERE (archived_at IS NULL);
CREATE INDEX conversations_activity ON public.conversations USING btree (partner_id, last_message_at, id) WHERE (archived_at IS NULL);
CREATE INDEX conversations_address ON public.conversations USING btree (partner_id, channel_id, address, last_message_at);
CREATE UNIQUE INDEX conversations_open ON public.conversations USING btree (partner_id, channel_id, address, thread) WHERE (status <> 'closed'::text);
CREATE INDEX conversations_person ON public.conversations USING btree (partner_id, person_id, last_message_at, id) WHERE (person_id IS NOT NULL);
CREATE UNIQUE INDEX conversations_reply_token ON public.conversations USING btree (partner_id, reply_token) WHERE (channel_kind = 'email'::text);
CREATE INDEX conversations_return ON public.conversations USING btree (return_at) WHERE (return_at IS NOT NULL);
CREATE INDEX conversations_snoozed ON public.conversations USING btree (snoozed_until) WHERE (status = 'snoozed'::text);
CREATE INDEX conversations_tags ON public.conversations USING gin (partner_id, tags) WHERE (tags <> '{}'::text[]);
CREATE INDEX conversations_waiting ON public.conversations USING btree (partner_id, account_id) WHERE ((waiting_since IS NOT NULL) AND (status = 'open'::text) AND (archived_at IS NULL));

-- Custom fields of an accounts records. An archived field keeps its key and its values and takes no new ones. [accounts/custom-fields, tenant]
create table custom_fields (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  resource text not null,
  key text collate "C" not null,
  label text not null,
  type text not null,
  options text[] not null default '{}'::text[],
  required boolean not null default false,
  archived boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint custom_fields_pkey PRIMARY KEY (partner_id, id),
  constraint custom_fields_check CHECK (((cardinality(options) > 0) = (type = ANY (ARRAY['select'::text, 'multi_select'::text])))),
  constraint custom_fields_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint custom_fields_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'boolean'::text, 'date'::text, 'select'::text, 'multi_select'::text, 'url'::text])))
);
CREATE UNIQUE INDEX custom_fields_key ON public.custom_fields USING btree (partner_id, account_id, resource, key);

-- The stage history of deals as intervals without a gap. The last interval is the current stage. [crm/deals, tenant]
create table deal_stages (
  partner_id text collate "C" not null,
  deal_id text collate "C" not null,
  ordinal integer not null,
  account_id text collate "C" not null,
  pipeline_id text collate "C" not null,
  stage_id text collate "C" not null,
  entered_at timestamp(3) with time zone not null,
  left_at timestamp(3) with time zone,
  moved_by text collate "C" not null,
  note text,
  constraint deal_stages_pkey PRIMARY KEY (partner_id, deal_id, ordinal),
  constraint deal_stages_check CHECK ((left_at >= entered_at)),
  constraint deal_stages_partner_id_deal_id_fkey FOREIGN KEY (partner_id, deal_id) REFERENCES deals(partner_id, id)
);
CREATE UNIQUE INDEX deal_stages_now ON public.deal_stages USING btree (partner_id, deal_id) WHERE (left_at IS NULL);
CREATE INDEX deal_stages_stage ON public.deal_stages USING btree (partner_id, stage_id, entered_at);

-- Deals. A sale is a registered deal of the house account: a plan sold to a company that becomes a client. [crm/deals, tenant]
create table deals (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  sale boolean not null,
  pipeline_id text collate "C" not null,
  stage_id text collate "C" not null,
  status text not null,
  stage_entered_at timestamp(3) with time zone not null,
  name text not null,
  amount_cents bigint,
  currency text not null,
  contact_id text collate "C",
  lead_id text collate "C",
  owner_id text collate "C",
  expected_close_on date,
  lost_reason text,
  tags text[] not null default '{}'::text[],
  notes text,
  custom jsonb not null default '{}'::jsonb,
  external_id text,
  company text,
  company_domain text,
  contact jsonb,
  plan text,
  mrr_cents bigint,
  client_id text collate "C",
  won_at timestamp(3) with time zone,
  lost_at timestamp(3) with time zone,
  first_won_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  erased_at timestamp(3) with time zone,
  affiliate_link_id text collate "C",
  constraint deals_pkey PRIMARY KEY (partner_id, id),
  constraint deals_amount_cents_check CHECK (((amount_cents >= 0) AND (amount_cents <= '9007199254740991'::bigint))),
  constraint deals_check CHECK (((status = 'won'::text) = (won_at IS NOT NULL))),
  constraint deals_check1 CHECK (((status = 'lost'::text) = (lost_at IS NOT NULL))),
  constraint deals_mrr_cents_check CHECK (((mrr_cents >= 0) AND (mrr_cents <= '9007199254740991'::bigint))),
  constraint deals_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint deals_partner_id_client_id_fkey FOREIGN KEY (partner_id, client_id) REFERENCES clients(partner_id, id),
  constraint deals_partner_id_contact_id_fkey FOREIGN KEY (partner_id, contact_id) REFERENCES contacts(partner_id, id),
  constraint deals_partner_id_pipeline_id_fkey FOREIGN KEY (partner_id, pipeline_id) REFERENCES pipelines(partner_id, id),
  constraint deals_partner_id_stage_id_fkey FOREIGN KEY (partner_id, stage_id) REFERENCES stages(partner_id, id),
  constraint deals_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX deals_account ON public.deals USING btree (partner_id, account_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX deals_amount ON public.deals USING btree (partner_id, COALESCE(amount_cents, ('-1'::integer)::bigint), id) WHERE (deleted_at IS NULL);
CREATE INDEX deals_client ON public.deals USING btree (partner_id, client_id, id) WHERE ((deleted_at IS NULL) AND (client_id IS NOT NULL));
CREATE INDEX deals_close ON public.deals USING btree (partner_id, deal_close_time(expected_close_on), id) WHERE (deleted_at IS NULL);
CREATE INDEX deals_closed ON public.deals USING btree (partner_id, COALESCE(won_at, lost_at), id) WHERE ((deleted_at IS NULL) AND (status <> 'open'::text));
CREATE INDEX deals_company ON public.deals USING btree (partner_id, lower(company), id) WHERE ((deleted_at IS NULL) AND (company IS NOT NULL));
CREATE INDEX deals_contact ON public.deals USING btree (partner_id, contact_id, id) WHERE ((deleted_at IS NULL) AND (contact_id IS NOT NULL));
CREATE INDEX deals_custom ON public.deals USING gin (partner_id, custom jsonb_path_ops) WHERE ((deleted_at IS NULL) AND (custom <> '{}'::jsonb));
CREATE INDEX deals_deleted ON public.deals USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE UNIQUE INDEX deals_external_id ON public.deals USING btree (partner_id, account_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX deals_in_stage ON public.deals USING btree (partner_id, stage_id, stage_entered_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX deals_link ON public.deals USING btree (partner_id, affiliate_link_id, id) WHERE (affiliate_link_id IS NOT NULL);
CREATE INDEX deals_name ON public.deals USING btree (partner_id, lower(name), id) WHERE (deleted_at IS NULL);
CREATE INDEX deals_owner ON public.deals USING btree (partner_id, owner_id, id) WHERE ((deleted_at IS NULL) AND (owner_id IS NOT NULL));
CREATE INDEX deals_pipeline ON public.deals USING btree (partner_id, pipeline_id, id);
CREATE INDEX deals_sale ON public.deals USING btree (partner_id, id) WHERE ((deleted_at IS NULL) AND sale);
CREATE INDEX deals_search ON public.deals USING gin (deal_search_text(name, company, notes) gin_trgm_ops, search_keys(partner_id, account_id, id)) WHERE (deleted_at IS NULL);
CREATE INDEX deals_stage ON public.deals USING btree (partner_id, stage_id, id);
CREATE INDEX deals_status ON public.deals USING btree (partner_id, status, id) WHERE (deleted_at IS NULL);
CREATE INDEX deals_tags ON public.deals USING gin (partner_id, tags) WHERE (deleted_at IS NULL);
CREATE INDEX deals_updated ON public.deals USING btree (partner_id, updated_at, id) WHERE (deleted_at IS NULL);

-- One event for one endpoint. Pending: to be sent at next_at, or parked while its endpoint is degraded or disabled. A test event is in no feed. [outbox/webhooks, tenant]
create table deliveries (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  replay_id text collate "C",
  test boolean not null default false,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  next_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  response_status integer,
  error text,
  constraint deliveries_pkey PRIMARY KEY (partner_id, id),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
) partition by RANGE (id);
-- with 31 partitions
CREATE INDEX deliveries_endpoint ON ONLY public.deliveries USING btree (partner_id, endpoint_id, id);
CREATE INDEX deliveries_in_order ON ONLY public.deliveries USING btree (partner_id, endpoint_id, replay_id, id) WHERE (status = 'pending'::text);
CREATE INDEX deliveries_live ON ONLY public.deliveries USING btree (partner_id, endpoint_id, next_at, id) WHERE ((status = 'pending'::text) AND (replay_id IS NULL));
CREATE INDEX deliveries_of_replay ON ONLY public.deliveries USING btree (partner_id, replay_id, id) WHERE (replay_id IS NOT NULL);
CREATE INDEX deliveries_replay ON ONLY public.deliveries USING btree (partner_id, replay_id) WHERE ((status = 'pending'::text) AND (replay_id IS NOT NULL));
CREATE INDEX deliveries_replayed ON ONLY public.deliveries USING btree (partner_id, endpoint_id, next_at, id) WHERE ((status = 'pending'::text) AND (replay_id IS NOT NULL));
CREATE INDEX deliveries_test ON ONLY public.deliveries USING btree (partner_id, endpoint_id, id) WHERE test;

-- The outcome of each attempt: the status and, for a failure, the reason and the beginning of the response. [outbox/webhooks, tenant]
create table delivery_attempts (
  partner_id text collate "C" not null,
  delivery_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  number integer not null,
  started_at timestamp(3) with time zone not null,
  duration_ms integer not null,
  status integer,
  error text,
  response text,
  request_headers json,
  constraint delivery_attempts_pkey PRIMARY KEY (partner_id, delivery_id, number)
) partition by RANGE (delivery_id);
-- with 31 partitions
CREATE INDEX delivery_attempts_endpoint ON ONLY public.delivery_attempts USING btree (partner_id, endpoint_id, started_at);

-- A version of a snapshot on its way to an account, or applied to it. `changed` has the ids of what it changed, `previous` the install before. [snapshots/deployments, tenant]
create table deployments (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  client_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  snapshot_version integer not null,
  previous_version integer,
  rollout_id text collate "C",
  canary boolean not null default false,
  policy text not null,
  status text not null,
  plan_hash text collate "C",
  changed jsonb,
  previous jsonb,
  conflicts jsonb,
  failure jsonb,
  attempts integer not null default 0,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint deployments_pkey PRIMARY KEY (partner_id, id),
  constraint deployments_partner_id_client_id_fkey FOREIGN KEY (partner_id, client_id) REFERENCES clients(partner_id, id),
  constraint deployments_partner_id_snapshot_id_fkey FOREIGN KEY (partner_id, snapshot_id) REFERENCES snapshots(partner_id, id),
  constraint deployments_policy_check CHECK ((policy = ANY (ARRAY['merge'::text, 'skip'::text, 'overwrite'::text, 'fail'::text]))),
  constraint deployments_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'succeeded'::text, 'partial'::text, 'unchanged'::text, 'skipped'::text, 'failed'::text, 'cancelled'::text, 'planned'::text, 'rolled_back'::text])))
);
CREATE INDEX deployments_client ON public.deployments USING btree (partner_id, client_id, id);
CREATE INDEX deployments_queued ON public.deployments USING btree (partner_id, rollout_id, canary DESC, id) WHERE ((status = 'queued'::text) AND (rollout_id IS NOT NULL));
CREATE INDEX deployments_revertible ON public.deployments USING btree (partner_id, rollout_id, id) WHERE ((status = ANY (ARRAY['succeeded'::text, 'partial'::text])) AND (rollout_id IS NOT NULL));
CREATE INDEX deployments_rollout ON public.deployments USING btree (partner_id, rollout_id, id) WHERE (rollout_id IS NOT NULL);
CREATE INDEX deployments_waiting ON public.deployments USING btree (partner_id, id) WHERE ((status = 'queued'::text) AND (rollout_id IS NULL));

-- append-only but for: first_charge_id, window_until, ended_at, end_reason. What a won sale earns and on which terms, frozen at the win. A sale that is won again has another round. One per client is live. [money/commissions, tenant]
create table earnings (
  partner_id text collate "C" not null,
  deal_id text collate "C" not null,
  round integer not null,
  client_id text collate "C" not null,
  currency text collate "C" not null,
  mrr_cents bigint not null,
  grade text collate "C" not null,
  link_id text collate "C",
  terms jsonb not null,
  opened_at timestamp(3) with time zone not null,
  first_charge_id text collate "C",
  window_until timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  end_reason text,
  constraint earnings_pkey PRIMARY KEY (partner_id, deal_id, round),
  constraint earnings_check CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
  constraint earnings_end_reason_check CHECK ((end_reason = ANY (ARRAY['superseded'::text, 'reversed'::text, 'voided'::text, 'expired'::text]))),
  constraint earnings_partner_id_client_id_fkey FOREIGN KEY (partner_id, client_id) REFERENCES clients(partner_id, id),
  constraint earnings_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES books(partner_id)
);
CREATE INDEX earnings_awaiting ON public.earnings USING btree (opened_at) WHERE ((ended_at IS NULL) AND (first_charge_id IS NULL));
CREATE INDEX earnings_client ON public.earnings USING btree (partner_id, client_id, opened_at);
CREATE INDEX earnings_link ON public.earnings USING btree (partner_id, link_id, opened_at) WHERE (link_id IS NOT NULL);
CREATE UNIQUE INDEX earnings_live ON public.earnings USING btree (partner_id, client_id) WHERE (ended_at IS NULL);

-- The position of each event in its partners feed. seq is null from commit until the sequencer assigns it. [platform/record, tenant]
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
) with (fillfactor=45);
CREATE INDEX event_feed_client ON public.event_feed USING btree (partner_id, client_id, seq) WHERE (seq IS NOT NULL);
CREATE UNIQUE INDEX event_feed_seq ON public.event_feed USING btree (partner_id, seq) WHERE (seq IS NOT NULL);
CREATE INDEX event_feed_waiting_transaction ON public.event_feed USING btree (partner_id, transaction_id) WHERE (seq IS NULL);

-- append-only: every event as the bytes that are signed and sent. [platform/record, tenant]
create table events (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  body bytea not null,
  constraint events_pkey PRIMARY KEY (partner_id, id)
) partition by RANGE (id);
-- with 31 partitions

-- The last seq assigned in each partners event feed, and the last one that retention trimmed. Only the sequencer and retention lock it. [platform/record, tenant]
create table feed_heads (
  partner_id text collate "C" not null,
  seq bigint not null default 0,
  trimmed_seq bigint not null default 0,
  constraint feed_heads_pkey PRIMARY KEY (partner_id)
);

-- The reply to each POST with an Idempotency-Key, stored in the transaction of its effect. [platform/record, tenant]
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
  key_version integer not null default 0,
  credential_hash bytea,
  constraint idempotency_replies_pkey PRIMARY KEY (partner_id, actor_id, key)
);
CREATE INDEX idempotency_replies_age ON public.idempotency_replies USING brin (created_at) WITH (pages_per_range='32');

-- The records that each batch of an import created, for a revert. [crm/imports, tenant]
create table import_batches (
  partner_id text collate "C" not null,
  import_id text collate "C" not null,
  ordinal integer not null,
  created text[] not null,
  constraint import_batches_pkey PRIMARY KEY (partner_id, import_id, ordinal),
  constraint import_batches_partner_id_import_id_fkey FOREIGN KEY (partner_id, import_id) REFERENCES imports(partner_id, id)
);

-- The files of unfinished imports, in chunks. They are stored before the import, which is created once its file is complete. [crm/imports, tenant]
create table import_chunks (
  partner_id text collate "C" not null,
  import_id text collate "C" not null,
  ordinal integer not null,
  data bytea not null,
  constraint import_chunks_pkey PRIMARY KEY (partner_id, import_id, ordinal)
);

-- Errors in the rows of an import. The first error of a row holds the row itself. [crm/imports, tenant]
create table import_errors (
  partner_id text collate "C" not null,
  import_id text collate "C" not null,
  "row" integer not null,
  ordinal integer not null,
  column_name text,
  code text not null,
  detail text not null,
  value text,
  cells text[],
  constraint import_errors_pkey PRIMARY KEY (partner_id, import_id, "row", ordinal),
  constraint import_errors_partner_id_import_id_fkey FOREIGN KEY (partner_id, import_id) REFERENCES imports(partner_id, id)
);

-- Hashes of the identities that the rows of a dry run would have created, to match later rows of the same file. [crm/imports, tenant]
create table import_identities (
  partner_id text collate "C" not null,
  import_id text collate "C" not null,
  identity bytea not null,
  constraint import_identities_pkey PRIMARY KEY (partner_id, import_id, identity)
);

-- Imports of records from files, with their progress. [crm/imports, tenant]
create table imports (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  resource text not null,
  mode text not null,
  dry_run boolean not null,
  status text not null default 'queued'::text,
  plan jsonb not null,
  bytes bigint not null,
  total integer not null,
  processed integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  removed integer not null default 0,
  restored integer not null default 0,
  kept integer not null default 0,
  byte_offset bigint not null,
  "row" integer not null default 1,
  batches integer not null default 0,
  attempts integer not null default 0,
  failure jsonb,
  created_by text collate "C" not null,
  worked_for text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  reverted_at timestamp(3) with time zone,
  worked_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  cleared boolean not null default false,
  constraint imports_pkey PRIMARY KEY (partner_id, id),
  constraint imports_check CHECK ((processed = (((created + updated) + unchanged) + failed))),
  constraint imports_check1 CHECK ((processed <= total)),
  constraint imports_mode_check CHECK ((mode = ANY (ARRAY['create'::text, 'upsert'::text, 'update'::text]))),
  constraint imports_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'cancelled'::text, 'failed'::text, 'reverting'::text, 'reverted'::text])))
);
CREATE INDEX imports_active ON public.imports USING btree (partner_id, worked_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text, 'reverting'::text]));
CREATE INDEX imports_finished ON public.imports USING btree (finished_at) WHERE (NOT cleared);

-- The last run of each scheduled job. [platform/jobs, local]
create table job_runs (
  name text not null,
  runs bigint not null default 0,
  failures bigint not null default 0,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  duration_ms integer,
  outcome text,
  last_error text,
  last_error_at timestamp(3) with time zone,
  constraint job_runs_pkey PRIMARY KEY (name)
);

-- API keys: a partners, or the operators (no partner). Null clients means all clients. [programme/keys, global]
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
  expires_at timestamp(3) with time zone,
  allowed_cidrs cidr[],
  last_used_at timestamp(3) with time zone,
  previous_hash bytea,
  previous_hash_until timestamp(3) with time zone,
  narrowed_version integer not null default 0,
  constraint keys_pkey PRIMARY KEY (id),
  constraint keys_allowed_cidrs_check CHECK ((cardinality(allowed_cidrs) > 0)),
  constraint keys_clients_check CHECK (((clients IS NULL) OR (cardinality(clients) > 0))),
  constraint keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint keys_previous_hash_ends CHECK (((previous_hash IS NULL) = (previous_hash_until IS NULL)))
);
CREATE UNIQUE INDEX keys_hash ON public.keys USING btree (hash);
CREATE INDEX keys_operator ON public.keys USING btree (id) WHERE (partner_id IS NULL);
CREATE INDEX keys_partner ON public.keys USING btree (partner_id, id);
CREATE UNIQUE INDEX keys_previous_hash ON public.keys USING btree (previous_hash) WHERE (previous_hash IS NOT NULL);

-- The passages of knowledge sources, by their headings, with their words. [agents/knowledge, tenant]
create table knowledge_chunks (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  source_id text collate "C" not null,
  number integer not null,
  language text not null,
  heading text not null,
  text text not null,
  tsv tsvector not null default ((setweight(to_tsvector('simple'::regconfig, heading), 'A'::"char") || to_tsvector('simple'::regconfig, text)) ||
CASE language
    WHEN 'da'::text THEN (setweight(to_tsvector('danish'::regconfig, heading), 'A'::"char") || to_tsvector('danish'::regconfig, text))
    WHEN 'de'::text THEN (setweight(to_tsvector('german'::regconfig, heading), 'A'::"char") || to_tsvector('german'::regconfig, text))
    WHEN 'en'::text THEN (setweight(to_tsvector('english'::regconfig, heading), 'A'::"char") || to_tsvector('english'::regconfig, text))
    WHEN 'es'::text THEN (setweight(to_tsvector('spanish'::regconfig, heading), 'A'::"char") || to_tsvector('spanish'::regconfig, text))
    WHEN 'fi'::text THEN (setweight(to_tsvector('finnish'::regconfig, heading), 'A'::"char") || to_tsvector('finnish'::regconfig, text))
    WHEN 'fr'::text THEN (setweight(to_tsvector('french'::regconfig, heading), 'A'::"char") || to_tsvector('french'::regconfig, text))
    WHEN 'hu'::text THEN (setweight(to_tsvector('hungarian'::regconfig, heading), 'A'::"char") || to_tsvector('hungarian'::regconfig, text))
    WHEN 'it'::text THEN (setweight(to_tsvector('italian'::regconfig, heading), 'A'::"char") || to_tsvector('italian'::regconfig, text))
    WHEN 'nl'::text THEN (setweight(to_tsvector('dutch'::regconfig, heading), 'A'::"char") || to_tsvector('dutch'::regconfig, text))
    WHEN 'no'::text THEN (setweight(to_tsvector('norwegian'::regconfig, heading), 'A'::"char") || to_tsvector('norwegian'::regconfig, text))
    WHEN 'pt'::text THEN (setweight(to_tsvector('portuguese'::regconfig, heading), 'A'::"char") || to_tsvector('portuguese'::regconfig, text))
    WHEN 'ro'::text THEN (setweight(to_tsvector('romanian'::regconfig, heading), 'A'::"char") || to_tsvector('romanian'::regconfig, text))
    WHEN 'ru'::text THEN (setweight(to_tsvector('russian'::regconfig, heading), 'A'::"char") || to_tsvector('russian'::regconfig, text))
    WHEN 'sv'::text THEN (setweight(to_tsvector('swedish'::regconfig, heading), 'A'::"char") || to_tsvector('swedish'::regconfig, text))
    WHEN 'tr'::text THEN (setweight(to_tsvector('turkish'::regconfig, heading), 'A'::"char") || to_tsvector('turkish'::regconfig, text))
    ELSE ''::tsvector
END),
  constraint knowledge_chunks_pkey PRIMARY KEY (partner_id, source_id, number),
  constraint knowledge_chunks_partner_id_source_id_fkey FOREIGN KEY (partner_id, source_id) REFERENCES knowledge_sources(partner_id, id)
);
CREATE INDEX knowledge_chunks_account ON public.knowledge_chunks USING btree (partner_id, account_id, source_id, number);
CREATE INDEX knowledge_chunks_words ON public.knowledge_chunks USING gin (account_id, tsv);

-- Texts, pages and files that agents of an account can look up. [agents/knowledge, tenant]
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
  text text not null default ''::text,
  bytes integer not null default 0,
  sha256 text collate "C" not null,
  status text not null,
  error text,
  etag text,
  last_modified text,
  fetched_at timestamp(3) with time zone,
  next_fetch_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint knowledge_sources_pkey PRIMARY KEY (partner_id, id),
  constraint knowledge_sources_key_key UNIQUE (partner_id, account_id, key),
  constraint knowledge_sources_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'url'::text, 'file'::text]))),
  constraint knowledge_sources_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint knowledge_sources_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'fetching'::text, 'failed'::text]))),
  constraint knowledge_sources_url_check CHECK (((kind = 'url'::text) = ((url IS NOT NULL) AND (next_fetch_at IS NOT NULL))))
);
CREATE INDEX knowledge_sources_account ON public.knowledge_sources USING btree (partner_id, account_id, id);
CREATE INDEX knowledge_sources_due ON public.knowledge_sources USING btree (next_fetch_at) WHERE (next_fetch_at IS NOT NULL);
CREATE INDEX knowledge_sources_language ON public.knowledge_sources USING btree (partner_id, account_id, language);

-- The lead scoring rules of an account, once they differ from the defaults. [crm/leads, tenant]
create table lead_scoring (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  rules jsonb not null,
  rescored_to text collate "C",
  updated_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint lead_scoring_pkey PRIMARY KEY (partner_id, account_id),
  constraint lead_scoring_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id)
);
CREATE INDEX lead_scoring_pending ON public.lead_scoring USING btree (partner_id, account_id) WHERE (rescored_to IS NOT NULL);

-- Leads, until they are converted to contacts. Deleted ones are kept for 30 days; an erased one keeps nothing personal. [crm/leads, tenant]
create table leads (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text,
  phone text collate "C",
  email text,
  company text,
  title text,
  country text,
  status text not null,
  disqualified_reason text,
  score integer not null,
  source jsonb not null,
  tags text[] not null default '{}'::text[],
  notes text,
  custom jsonb not null default '{}'::jsonb,
  owner_id text collate "C",
  external_id text,
  activity_count integer not null default 0,
  last_activity_at timestamp(3) with time zone not null,
  converted_at timestamp(3) with time zone,
  converted_by text collate "C",
  contact_id text collate "C",
  deal_id text collate "C",
  conversion jsonb,
  deleted_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  affiliate_link_id text collate "C",
  rescored integer not null default 0,
  constraint leads_pkey PRIMARY KEY (partner_id, id),
  constraint leads_check CHECK (((name IS NOT NULL) OR (phone IS NOT NULL) OR (email IS NOT NULL) OR (external_id IS NOT NULL) OR (erased_at IS NOT NULL))),
  constraint leads_check1 CHECK (((status = 'converted'::text) = (converted_at IS NOT NULL))),
  constraint leads_check2 CHECK (((converted_at IS NOT NULL) = ((contact_id IS NOT NULL) AND (converted_by IS NOT NULL) AND (conversion IS NOT NULL)))),
  constraint leads_check3 CHECK (((disqualified_reason IS NULL) OR (status = 'disqualified'::text))),
  constraint leads_check4 CHECK (((deleted_at IS NOT NULL) OR (erased_at IS NULL))),
  constraint leads_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint leads_partner_id_contact_id_fkey FOREIGN KEY (partner_id, contact_id) REFERENCES contacts(partner_id, id),
  constraint leads_partner_id_deal_id_fkey FOREIGN KEY (partner_id, deal_id) REFERENCES deals(partner_id, id),
  constraint leads_score_check CHECK (((score >= 0) AND (score <= 100))),
  constraint leads_status_check CHECK ((status = ANY (ARRAY['new'::text, 'working'::text, 'qualified'::text, 'disqualified'::text, 'converted'::text])))
);
CREATE INDEX leads_account ON public.leads USING btree (partner_id, account_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX leads_company ON public.leads USING btree (partner_id, lower(company), id) WHERE ((deleted_at IS NULL) AND (company IS NOT NULL));
CREATE INDEX leads_contact ON public.leads USING btree (partner_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX leads_custom ON public.leads USING gin (partner_id, custom jsonb_path_ops) WHERE ((deleted_at IS NULL) AND (custom <> '{}'::jsonb));
CREATE INDEX leads_deleted ON public.leads USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE UNIQUE INDEX leads_email ON public.leads USING btree (partner_id, account_id, lower(email)) WHERE ((deleted_at IS NULL) AND (converted_at IS NULL) AND (email IS NOT NULL));
CREATE UNIQUE INDEX leads_external_id ON public.leads USING btree (partner_id, account_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX leads_link ON public.leads USING btree (partner_id, affiliate_link_id, id) WHERE (affiliate_link_id IS NOT NULL);
CREATE INDEX leads_name ON public.leads USING btree (partner_id, lower(COALESCE(name, ''::text)), id) WHERE (deleted_at IS NULL);
CREATE INDEX leads_owner ON public.leads USING btree (partner_id, owner_id, id) WHERE ((deleted_at IS NULL) AND (owner_id IS NOT NULL));
CREATE UNIQUE INDEX leads_phone ON public.leads USING btree (partner_id, account_id, phone) WHERE ((deleted_at IS NULL) AND (converted_at IS NULL) AND (phone IS NOT NULL));
CREATE INDEX leads_score ON public.leads USING btree (partner_id, score, id) WHERE (deleted_at IS NULL);
CREATE INDEX leads_search ON public.leads USING gin (contact_search_text(COALESCE(name, ''::text), email, phone, company, notes) gin_trgm_ops, search_keys(partner_id, account_id, id)) WHERE (deleted_at IS NULL);
CREATE INDEX leads_source ON public.leads USING gin (partner_id, source jsonb_path_ops) WHERE (deleted_at IS NULL);
CREATE INDEX leads_source_kind ON public.leads USING btree (partner_id, ((source ->> 'kind'::text)), id) WHERE (deleted_at IS NULL);
CREATE INDEX leads_status ON public.leads USING btree (partner_id, status, id) WHERE (deleted_at IS NULL);
CREATE INDEX leads_tags ON public.leads USING gin (partner_id, tags) WHERE (deleted_at IS NULL);
CREATE INDEX leads_updated ON public.leads USING btree (partner_id, updated_at, id) WHERE (deleted_at IS NULL);

-- append-only: amounts moved from one account of a book to another. A row is a whole transfer, so that debits equal credits; debit_after and credit_after are the balances of both accounts (credits less debits). [money/ledger, tenant]
create table ledger_transfers (
  partner_id text collate "C" not null,
  seq bigint not null,
  transaction_id text collate "C" not null,
  at timestamp(3) with time zone not null,
  debit text collate "C" not null,
  credit text collate "C" not null,
  currency text collate "C" not null,
  amount_cents bigint not null,
  debit_after bigint not null,
  credit_after bigint not null,
  fact text not null,
  commission_id text collate "C",
  payout_id text collate "C",
  actor_id text collate "C" not null,
  constraint ledger_transfers_pkey PRIMARY KEY (partner_id, seq),
  constraint ledger_transfers_accounts_check CHECK (((debit = ANY (ARRAY['expense'::text, 'pending'::text, 'held'::text, 'approved'::text, 'scheduled'::text, 'cash'::text, 'written_off'::text])) AND (credit = ANY (ARRAY['expense'::text, 'pending'::text, 'held'::text, 'approved'::text, 'scheduled'::text, 'cash'::text, 'written_off'::text])))),
  constraint ledger_transfers_amount_cents_check CHECK ((amount_cents > 0)),
  constraint ledger_transfers_check CHECK ((debit <> credit)),
  constraint ledger_transfers_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES books(partner_id)
);
CREATE INDEX ledger_transfers_at ON public.ledger_transfers USING btree (partner_id, at, seq);
CREATE INDEX ledger_transfers_commission ON public.ledger_transfers USING btree (partner_id, commission_id, seq) WHERE (commission_id IS NOT NULL);
CREATE INDEX ledger_transfers_credit ON public.ledger_transfers USING btree (partner_id, credit, currency, seq);
CREATE INDEX ledger_transfers_debit ON public.ledger_transfers USING btree (partner_id, debit, currency, seq);
CREATE INDEX ledger_transfers_payout ON public.ledger_transfers USING btree (partner_id, payout_id, seq) WHERE (payout_id IS NOT NULL);

-- Every code of all partners with what a redirect needs of its link, so that a click is one read by key. A code is never given away again. [money/links, global]
create table link_codes (
  code_key text collate "C" not null,
  code text collate "C" not null,
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  destination_url text not null,
  campaign text,
  window_days integer not null,
  expires_at timestamp(3) with time zone,
  status text not null,
  constraint link_codes_pkey PRIMARY KEY (code_key),
  constraint link_codes_link_id_key UNIQUE (link_id),
  constraint link_codes_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id)
);

-- The clicks of a link by day in UTC, kept for good. Bots are counted apart; visitors are the different ones of the day. [money/links, tenant]
create table link_days (
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  day date not null,
  clicks integer not null,
  visitors integer not null,
  bots integer not null,
  repeats integer not null,
  constraint link_days_pkey PRIMARY KEY (partner_id, link_id, day)
);

-- The last click of each visitor of a link on a day, and the one that was last before it. A day is deleted with its salt. [money/links, tenant]
create table link_visitors (
  partner_id text collate "C" not null,
  day date not null,
  link_id text collate "C" not null,
  visitor bytea not null,
  last_id text collate "C" not null,
  before_id text collate "C",
  constraint link_visitors_pkey PRIMARY KEY (partner_id, day, link_id, visitor)
);

-- The mailboxes that e-mail channels read, each by one process at a time, and how far. [inbox/channels, tenant]
create table mailboxes (
  partner_id text collate "C" not null,
  channel_id text collate "C" not null,
  owner text collate "C",
  lease_until timestamp(3) with time zone,
  uid_validity bigint,
  last_uid bigint not null default 0,
  constraint mailboxes_pkey PRIMARY KEY (partner_id, channel_id),
  constraint mailboxes_partner_id_channel_id_fkey FOREIGN KEY (partner_id, channel_id) REFERENCES channels(partner_id, id)
);

-- append-only but for: detail. Every call of a provider for a message, and what came of it. [inbox/conversations, tenant]
create table message_attempts (
  partner_id text collate "C" not null,
  message_id text collate "C" not null,
  number integer not null,
  started_at timestamp(3) with time zone not null,
  duration_ms integer not null,
  outcome text not null,
  code text,
  detail text,
  constraint message_attempts_pkey PRIMARY KEY (partner_id, message_id, number),
  constraint message_attempts_partner_id_message_id_fkey FOREIGN KEY (partner_id, message_id) REFERENCES messages(partner_id, id)
);

-- Messages that have still to be sent: when next, and by which process. A row goes when its message is final or with the provider. [inbox/conversations, tenant]
create table message_sends (
  partner_id text collate "C" not null,
  message_id text collate "C" not null,
  account_id text collate "C" not null,
  conversation_id text collate "C" not null,
  channel_id text collate "C" not null,
  ordinal integer not null,
  next_at timestamp(3) with time zone not null,
  attempts integer not null default 0,
  claimed_by text collate "C",
  claimed_until timestamp(3) with time zone,
  constraint message_sends_pkey PRIMARY KEY (partner_id, message_id),
  constraint message_sends_partner_id_message_id_fkey FOREIGN KEY (partner_id, message_id) REFERENCES messages(partner_id, id)
);
CREATE INDEX message_sends_channel ON public.message_sends USING btree (partner_id, channel_id, next_at, message_id);
CREATE INDEX message_sends_conversation ON public.message_sends USING btree (partner_id, conversation_id, ordinal);
CREATE INDEX message_sends_due ON public.message_sends USING btree (next_at);

-- Texts of an account with placeholders, for messages that people send again and again. [accounts/templates, tenant]
create table message_templates (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  channel text not null,
  subject text,
  text text not null,
  archived boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  provider_template jsonb,
  constraint message_templates_pkey PRIMARY KEY (partner_id, id),
  constraint message_templates_channel_check CHECK ((channel = ANY (ARRAY['any'::text, 'email'::text, 'sms'::text, 'whatsapp'::text, 'webchat'::text]))),
  constraint message_templates_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint message_templates_text_check CHECK ((length(text) <= 10000))
);
CREATE INDEX message_templates_account ON public.message_templates USING btree (partner_id, account_id, id);
CREATE UNIQUE INDEX message_templates_name ON public.message_templates USING btree (partner_id, account_id, lower(name)) WHERE (NOT archived);

-- What was said in a conversation, in the order of ordinals without gaps. A status only goes forward. [inbox/conversations, tenant]
create table messages (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  conversation_id text collate "C" not null,
  channel_id text collate "C" not null,
  ordinal integer not null,
  direction text not null,
  kind text not null,
  author_type text not null,
  author_id text collate "C" not null,
  subject text,
  text text not null,
  html text,
  status text not null,
  status_at timestamp(3) with time zone not null,
  provider_id text collate "C",
  client_message_id text collate "C",
  purpose text not null default 'conversational'::text,
  template_id text collate "C",
  automatic boolean not null default false,
  retry_of text collate "C",
  detail jsonb,
  error jsonb,
  scheduled_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint messages_pkey PRIMARY KEY (partner_id, id),
  constraint messages_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
  constraint messages_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'note'::text, 'event'::text]))),
  constraint messages_ordinal_key UNIQUE (partner_id, conversation_id, ordinal),
  constraint messages_partner_id_conversation_id_fkey FOREIGN KEY (partner_id, conversation_id) REFERENCES conversations(partner_id, id),
  constraint messages_purpose_check CHECK ((purpose = ANY (ARRAY['conversational'::text, 'transactional'::text, 'marketing'::text]))),
  constraint messages_status_check CHECK ((status = ANY (ARRAY['received'::text, 'scheduled'::text, 'queued'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'cancelled'::text]))),
  constraint messages_text_check CHECK ((length(text) <= 100000))
);
CREATE UNIQUE INDEX messages_client_message_id ON public.messages USING btree (partner_id, conversation_id, client_message_id) WHERE (client_message_id IS NOT NULL);
CREATE INDEX messages_joined ON public.messages USING btree (partner_id, author_id) WHERE ((direction = 'in'::text) AND (detail ? 'from'::text));
CREATE UNIQUE INDEX messages_provider_id ON public.messages USING btree (partner_id, channel_id, provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX messages_text ON public.messages USING gin (partner_id, account_id, lower(text) gin_trgm_ops);

-- The migrations that were applied, with their checksums. [platform/db, local]
create table migrations (
  number integer not null,
  file text not null,
  checksum text not null,
  applied_at timestamp(3) with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

-- Addresses, as keyed hashes, that asked not to be written to. It outlives the deletion and erasure of the person. [inbox/channels, tenant]
create table opt_outs (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  kind text not null,
  address_hash bytea not null,
  at timestamp(3) with time zone not null,
  constraint opt_outs_pkey PRIMARY KEY (partner_id, account_id, kind, address_hash),
  constraint opt_outs_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text]))),
  constraint opt_outs_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id)
);

-- E-mail that waits to be sent: its kind, and what it is about. Deleted once sent. [platform/mail, local]
create table outgoing_mail (
  id bigint not null,
  kind text not null,
  about text not null,
  attempts integer not null default 0,
  last_error text,
  created_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint outgoing_mail_pkey PRIMARY KEY (id)
);
CREATE INDEX outgoing_mail_due ON public.outgoing_mail USING btree (due_at, id);

-- Statuses that came before the id of their message was known; kept for three days. [inbox/conversations, tenant]
create table parked_statuses (
  partner_id text collate "C" not null,
  channel_id text collate "C" not null,
  provider_id text collate "C" not null,
  status text not null,
  code text,
  detail text,
  opted_out boolean not null default false,
  at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint parked_statuses_pkey PRIMARY KEY (partner_id, channel_id, provider_id, status)
);

-- Partners: the tenants. [programme/partners, global]
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
  default_snapshots text[] not null default '{}'::text[],
  suspended_at timestamp(3) with time zone,
  suspension_reason text,
  rate_limit_per_minute integer not null default 600,
  rate_limit_burst integer not null default 100,
  house_account_id text collate "C",
  movements_since timestamp(3) with time zone,
  pinned boolean not null default false,
  pinned_until timestamp(3) with time zone,
  grace_until timestamp(3) with time zone,
  constraint partners_pkey PRIMARY KEY (id),
  constraint partners_grade_fkey FOREIGN KEY (grade) REFERENCES tiers(grade),
  constraint partners_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES partners(id),
  constraint partners_rate_limit_burst_check CHECK (((rate_limit_burst >= 1) AND (rate_limit_burst <= 1000000))),
  constraint partners_rate_limit_per_minute_check CHECK (((rate_limit_per_minute >= 1) AND (rate_limit_per_minute <= 10000000))),
  constraint partners_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE INDEX partners_api_access ON public.partners USING btree (api_access, id);
CREATE INDEX partners_company ON public.partners USING btree (lower(company) COLLATE "C");
CREATE INDEX partners_grade ON public.partners USING btree (grade, id);
CREATE INDEX partners_parent ON public.partners USING btree (parent_id, id) WHERE (parent_id IS NOT NULL);
CREATE INDEX partners_status ON public.partners USING btree (status, id);

-- Each try to pay a link. As long as it may still succeed, its amount is reserved. [billing/payments, tenant]
create table payment_attempts (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  link_id text collate "C" not null,
  provider_id text collate "C",
  provider_kind text not null,
  provider_ref text collate "C",
  redirect text,
  amount_cents bigint not null,
  tip_cents bigint not null default 0,
  currency text not null,
  state text not null,
  failure text,
  form_nonce text collate "C",
  payer jsonb not null default '{}'::jsonb,
  created_at timestamp(3) with time zone not null,
  state_at timestamp(3) with time zone not null,
  next_look_at timestamp(3) with time zone not null,
  language text,
  constraint payment_attempts_pkey PRIMARY KEY (partner_id, id),
  constraint payment_attempts_amount_check CHECK (((amount_cents > 0) AND (tip_cents >= 0))),
  constraint payment_attempts_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'es'::text, 'pt'::text]))),
  constraint payment_attempts_partner_id_link_id_fkey FOREIGN KEY (partner_id, link_id) REFERENCES payment_links(partner_id, id),
  constraint payment_attempts_state_check CHECK ((state = ANY (ARRAY['created'::text, 'pending'::text, 'processing'::text, 'expiring'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE UNIQUE INDEX payment_attempts_form_nonce ON public.payment_attempts USING btree (partner_id, form_nonce) WHERE (form_nonce IS NOT NULL);
CREATE INDEX payment_attempts_link ON public.payment_attempts USING btree (partner_id, link_id, id);
CREATE INDEX payment_attempts_open ON public.payment_attempts USING btree (next_look_at) WHERE (state = ANY (ARRAY['created'::text, 'pending'::text, 'processing'::text, 'expiring'::text]));
CREATE UNIQUE INDEX payment_attempts_provider_ref ON public.payment_attempts USING btree (partner_id, provider_id, provider_ref) WHERE (provider_ref IS NOT NULL);

-- Payments that payers have had their banks call back, and who won. [billing/payments, tenant]
create table payment_disputes (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  payment_id text collate "C" not null,
  provider_ref text collate "C" not null,
  amount_cents bigint not null,
  reason text not null,
  status text not null,
  created_at timestamp(3) with time zone not null,
  decided_at timestamp(3) with time zone,
  constraint payment_disputes_pkey PRIMARY KEY (partner_id, id),
  constraint payment_disputes_decided_check CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  constraint payment_disputes_partner_id_payment_id_fkey FOREIGN KEY (partner_id, payment_id) REFERENCES payments(partner_id, id),
  constraint payment_disputes_provider_ref_key UNIQUE (partner_id, payment_id, provider_ref),
  constraint payment_disputes_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX payment_disputes_account ON public.payment_disputes USING btree (partner_id, account_id, id);
CREATE INDEX payment_disputes_status ON public.payment_disputes USING btree (partner_id, status, id);

-- Requests for money from customers. What is reserved is being paid right now: paid and reserved stay within the limit, which a link without one of multi use does not have. [billing/payment-links, tenant]
create table payment_links (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  contact_id text collate "C",
  customer jsonb not null,
  description text,
  reference text,
  currency text not null,
  total_cents bigint not null,
  line_items jsonb,
  usage text not null,
  uses_max integer,
  limit_cents bigint,
  paid_cents bigint not null default 0,
  reserved_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  tips_cents bigint not null default 0,
  status text not null default 'active'::text,
  expires_at timestamp(3) with time zone not null,
  due_on date,
  timezone text not null,
  partial jsonb,
  tip jsonb,
  collect jsonb not null default '[]'::jsonb,
  provider_id text collate "C",
  deal_id text collate "C",
  conversation_id text collate "C",
  metadata jsonb not null default '{}'::jsonb,
  token text collate "C" not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  paid_at timestamp(3) with time zone,
  version integer not null default 1,
  on_paid jsonb,
  charge jsonb,
  language text,
  remind jsonb,
  constraint payment_links_pkey PRIMARY KEY (partner_id, id),
  constraint payment_links_amounts_check CHECK (((paid_cents >= 0) AND (reserved_cents >= 0) AND (tips_cents >= 0) AND ((refunded_cents >= 0) AND (refunded_cents <= (paid_cents + tips_cents))))),
  constraint payment_links_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'es'::text, 'pt'::text]))),
  constraint payment_links_limit_check CHECK (((usage = 'multi'::text) OR (limit_cents = total_cents))),
  constraint payment_links_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint payment_links_partner_id_contact_id_fkey FOREIGN KEY (partner_id, contact_id) REFERENCES contacts(partner_id, id),
  constraint payment_links_partner_id_provider_id_fkey FOREIGN KEY (partner_id, provider_id) REFERENCES payment_providers(partner_id, id),
  constraint payment_links_status_check CHECK ((status = ANY (ARRAY['active'::text, 'partially_paid'::text, 'paid'::text, 'cancelled'::text, 'closed'::text, 'expired'::text, 'disabled'::text]))),
  constraint payment_links_total_check CHECK ((total_cents > 0)),
  constraint payment_links_usage_check CHECK ((usage = ANY (ARRAY['single'::text, 'multi'::text])))
);
CREATE INDEX payment_links_account ON public.payment_links USING btree (partner_id, account_id, id);
CREATE INDEX payment_links_contact ON public.payment_links USING btree (partner_id, contact_id, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX payment_links_deal ON public.payment_links USING btree (partner_id, deal_id, id) WHERE (deal_id IS NOT NULL);
CREATE INDEX payment_links_expires ON public.payment_links USING btree (expires_at) WHERE (status = ANY (ARRAY['active'::text, 'partially_paid'::text]));
CREATE INDEX payment_links_status ON public.payment_links USING btree (partner_id, status, id);

-- The messages that a payment link was sent with. [billing/payment-links, tenant]
create table payment_messages (
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  message_id text collate "C" not null,
  channel text not null,
  reminder boolean not null,
  created_at timestamp(3) with time zone not null,
  constraint payment_messages_pkey PRIMARY KEY (partner_id, link_id, message_id),
  constraint payment_messages_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'email'::text, 'whatsapp'::text]))),
  constraint payment_messages_partner_id_link_id_fkey FOREIGN KEY (partner_id, link_id) REFERENCES payment_links(partner_id, id)
);

-- Who collects the money of payment links: for one account, or without one for all of the partner. Secrets are sealed. [billing/providers, tenant]
create table payment_providers (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C",
  kind text not null,
  name text not null,
  status text not null default 'active'::text,
  config jsonb not null,
  secrets bytea,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  version integer not null default 1,
  token text collate "C",
  live boolean not null default true,
  constraint payment_providers_pkey PRIMARY KEY (partner_id, id),
  constraint payment_providers_kind_check CHECK ((kind = ANY (ARRAY['test'::text, 'manual'::text, 'stripe'::text]))),
  constraint payment_providers_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint payment_providers_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);
CREATE INDEX payment_providers_account ON public.payment_providers USING btree (partner_id, account_id, id);

-- Money that goes back to payers. [billing/payments, tenant]
create table payment_refunds (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  payment_id text collate "C" not null,
  amount_cents bigint not null,
  reason text not null,
  status text not null default 'pending'::text,
  failure text,
  provider_ref text collate "C",
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  status_at timestamp(3) with time zone not null,
  next_look_at timestamp(3) with time zone not null,
  constraint payment_refunds_pkey PRIMARY KEY (partner_id, id),
  constraint payment_refunds_amount_check CHECK ((amount_cents > 0)),
  constraint payment_refunds_partner_id_payment_id_fkey FOREIGN KEY (partner_id, payment_id) REFERENCES payments(partner_id, id),
  constraint payment_refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX payment_refunds_payment ON public.payment_refunds USING btree (partner_id, payment_id, id);
CREATE INDEX payment_refunds_pending ON public.payment_refunds USING btree (next_look_at) WHERE (status = 'pending'::text);

-- When the payer of a link is reminded: one row for each time, which is sent at most once. [billing/payment-links, tenant]
create table payment_reminders (
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  at timestamp(3) with time zone not null,
  state text not null default 'planned'::text,
  reason text,
  constraint payment_reminders_pkey PRIMARY KEY (partner_id, link_id, at),
  constraint payment_reminders_partner_id_link_id_fkey FOREIGN KEY (partner_id, link_id) REFERENCES payment_links(partner_id, id),
  constraint payment_reminders_reason_check CHECK (((state = 'skipped'::text) = (reason IS NOT NULL))),
  constraint payment_reminders_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'sent'::text, 'skipped'::text])))
);
CREATE INDEX payment_reminders_due ON public.payment_reminders USING btree (at) WHERE (state = 'planned'::text);

-- Money that was received: one row for each attempt that succeeded, with its receipt. [billing/payments, tenant]
create table payments (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  link_id text collate "C" not null,
  attempt_id text collate "C" not null,
  contact_id text collate "C",
  provider_id text collate "C",
  provider_kind text not null,
  provider_ref text collate "C" not null,
  amount_cents bigint not null,
  tip_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunding_cents bigint not null default 0,
  currency text not null,
  status text not null default 'succeeded'::text,
  method text not null,
  method_hint text,
  payer jsonb not null,
  receipt_number text not null,
  live boolean not null,
  flag text,
  note text,
  paid_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  on_paid_results jsonb not null default '[]'::jsonb,
  charge jsonb,
  constraint payments_pkey PRIMARY KEY (partner_id, id),
  constraint payments_attempt_id_key UNIQUE (partner_id, attempt_id),
  constraint payments_flag_check CHECK ((flag = ANY (ARRAY['late'::text, 'overpaid'::text]))),
  constraint payments_partner_id_attempt_id_fkey FOREIGN KEY (partner_id, attempt_id) REFERENCES payment_attempts(partner_id, id),
  constraint payments_partner_id_link_id_fkey FOREIGN KEY (partner_id, link_id) REFERENCES payment_links(partner_id, id),
  constraint payments_provider_ref_key UNIQUE (partner_id, provider_kind, provider_ref),
  constraint payments_receipt_number_key UNIQUE (partner_id, account_id, receipt_number),
  constraint payments_refunded_check CHECK (((refunded_cents >= 0) AND (refunding_cents >= 0) AND ((refunded_cents + refunding_cents) <= (amount_cents + tip_cents)))),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'partially_refunded'::text, 'refunded'::text, 'disputed'::text, 'lost'::text])))
);
CREATE INDEX payments_account ON public.payments USING btree (partner_id, account_id, id);
CREATE INDEX payments_contact ON public.payments USING btree (partner_id, contact_id, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX payments_link ON public.payments USING btree (partner_id, link_id, id);
CREATE INDEX payments_status ON public.payments USING btree (partner_id, status, id);

-- append-only but for: export_id, failure, ended_at. Each try to pay a payout, with the details of the method at that time, sealed. [money/payouts, tenant]
create table payout_attempts (
  partner_id text collate "C" not null,
  payout_id text collate "C" not null,
  attempt integer not null,
  method_id text collate "C" not null,
  kind text not null,
  holder text not null,
  details bytea not null,
  hint text not null,
  started_at timestamp(3) with time zone not null,
  export_id text collate "C",
  failure text,
  ended_at timestamp(3) with time zone,
  constraint payout_attempts_pkey PRIMARY KEY (partner_id, payout_id, attempt),
  constraint payout_attempts_kind_check CHECK ((kind = ANY (ARRAY['sepa'::text, 'manual'::text]))),
  constraint payout_attempts_partner_id_payout_id_fkey FOREIGN KEY (partner_id, payout_id) REFERENCES payouts(partner_id, id)
);
CREATE INDEX payout_attempts_export ON public.payout_attempts USING btree (export_id, partner_id, payout_id) WHERE (export_id IS NOT NULL);

-- Files for the bank, made once from the payouts that they contain; the content is sealed. [money/payouts, global]
create table payout_exports (
  id text collate "C" not null,
  run_id text collate "C" not null,
  format text not null,
  currency text collate "C",
  debtor jsonb,
  state text not null,
  cursor text collate "C" not null default ''::text,
  payouts integer not null default 0,
  amount_cents bigint not null default 0,
  content bytea,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  constraint payout_exports_pkey PRIMARY KEY (id),
  constraint payout_exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'sepa'::text]))),
  constraint payout_exports_run_id_fkey FOREIGN KEY (run_id) REFERENCES payout_runs(id),
  constraint payout_exports_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text])))
);
CREATE INDEX payout_exports_run ON public.payout_exports USING btree (run_id, id);
CREATE UNIQUE INDEX payout_exports_running ON public.payout_exports USING btree (run_id) WHERE (state = 'running'::text);

-- append-only: the commissions that a payout has claimed. Those of a cancelled one may be in a later one. [money/commissions, tenant]
create table payout_items (
  partner_id text collate "C" not null,
  payout_id text collate "C" not null,
  commission_id text collate "C" not null,
  amount_cents bigint not null,
  constraint payout_items_pkey PRIMARY KEY (partner_id, payout_id, commission_id),
  constraint payout_items_partner_id_commission_id_fkey FOREIGN KEY (partner_id, commission_id) REFERENCES commissions(partner_id, id),
  constraint payout_items_partner_id_payout_id_fkey FOREIGN KEY (partner_id, payout_id) REFERENCES payouts(partner_id, id)
);
CREATE INDEX payout_items_commission ON public.payout_items USING btree (partner_id, commission_id);

-- append-only but for: ended_at. Where a partner is paid; the details are sealed. One per partner is current. [money/payouts, tenant]
create table payout_methods (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  currencies text[] not null,
  holder text not null,
  details bytea not null,
  hint text not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint payout_methods_pkey PRIMARY KEY (partner_id, id),
  constraint payout_methods_kind_check CHECK ((kind = ANY (ARRAY['sepa'::text, 'manual'::text]))),
  constraint payout_methods_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES books(partner_id)
);
CREATE UNIQUE INDEX payout_methods_current ON public.payout_methods USING btree (partner_id) WHERE (ended_at IS NULL);

-- Runs that schedule payouts for all partners, worked off in steps. One runs at a time. [money/payouts, global]
create table payout_runs (
  id text collate "C" not null,
  slot text not null,
  cutoff timestamp(3) with time zone not null,
  scheduled_for timestamp(3) with time zone not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  state text not null,
  cursor text collate "C" not null default ''::text,
  partners_total integer not null default 0,
  partners_done integer not null default 0,
  scheduled jsonb not null default '{}'::jsonb,
  blocked jsonb not null default '{}'::jsonb,
  finished_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint payout_runs_pkey PRIMARY KEY (id),
  constraint payout_runs_slot UNIQUE (slot),
  constraint payout_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text])))
);
CREATE INDEX payout_runs_cutoff ON public.payout_runs USING btree (cutoff);
CREATE UNIQUE INDEX payout_runs_running ON public.payout_runs USING btree (state) WHERE (state = 'running'::text);

-- append-only but for: status, attempt, paid_at, reference, updated_at, version. What a run pays a partner in one currency, with the number of its statement. [money/payouts, tenant]
create table payouts (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  run_id text collate "C" not null,
  currency text collate "C" not null,
  statement_seq integer not null,
  gross_cents bigint not null,
  adjustments_cents bigint not null,
  carry_in_cents bigint not null,
  net_cents bigint not null,
  commission_count integer not null,
  period_from timestamp(3) with time zone not null,
  period_to timestamp(3) with time zone not null,
  scheduled_for timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  status text not null,
  attempt integer not null,
  paid_at timestamp(3) with time zone,
  reference text,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint payouts_pkey PRIMARY KEY (partner_id, id),
  constraint payouts_net_cents_check CHECK (((net_cents > 0) AND (net_cents = ((gross_cents + adjustments_cents) + carry_in_cents)))),
  constraint payouts_paid_at_check CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
  constraint payouts_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES books(partner_id),
  constraint payouts_run UNIQUE (partner_id, run_id, currency),
  constraint payouts_statement UNIQUE (partner_id, statement_seq),
  constraint payouts_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'processing'::text, 'paid'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX payouts_id ON public.payouts USING hash (id);
CREATE INDEX payouts_of_run ON public.payouts USING btree (run_id, partner_id, id);
CREATE INDEX payouts_status ON public.payouts USING btree (partner_id, status, id);

-- The pipelines of an account, with the rules for moving deals. [accounts/pipelines, tenant]
create table pipelines (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  is_default boolean not null default false,
  rules jsonb not null default '{}'::jsonb,
  archived boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint pipelines_pkey PRIMARY KEY (partner_id, id),
  constraint pipelines_check CHECK ((NOT (is_default AND archived))),
  constraint pipelines_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id)
);
CREATE INDEX pipelines_account ON public.pipelines USING btree (partner_id, account_id, id);
CREATE UNIQUE INDEX pipelines_default ON public.pipelines USING btree (partner_id, account_id) WHERE is_default;
CREATE UNIQUE INDEX pipelines_name ON public.pipelines USING btree (partner_id, account_id, lower(name)) WHERE (NOT archived);

-- Accounts whose default pipeline is not created yet. [accounts/pipelines, tenant]
create table pipelines_due (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  constraint pipelines_due_pkey PRIMARY KEY (partner_id, account_id)
);

-- The plans that partners sell, with their monthly prices by currency. A legacy plan is a name from before there was a catalogue. [accounts/plans, global]
create table plans (
  id text collate "C" not null,
  name text not null,
  prices jsonb not null default '{}'::jsonb,
  state text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint plans_pkey PRIMARY KEY (id),
  constraint plans_state_check CHECK ((state = ANY (ARRAY['active'::text, 'archived'::text, 'legacy'::text])))
);
CREATE UNIQUE INDEX plans_name ON public.plans USING btree (lower(name));

-- The settings of the programme: one row, created by the first run. [programme/operators, global]
create table programme (
  only_row boolean not null default true,
  first_run_at timestamp(3) with time zone not null,
  name text not null default 'Partner programme'::text,
  default_currency text not null default 'usd'::text,
  support_email text,
  updated_at timestamp(3) with time zone,
  version integer not null default 1,
  registration_review text not null default 'auto'::text,
  protection_days integer not null default 90,
  open_registrations_max integer not null default 100,
  hold_days integer not null default 30,
  first_charge_days integer not null default 180,
  override_bps integer[] not null default '{300,200,100}'::integer[],
  override_gate integer not null default 1,
  total_cap_bps integer not null default 5000,
  tier_grace_days integer not null default 30,
  sub_partner_invites text not null default 'on'::text,
  payout_cron text default '0 6 15 * *'::text,
  payout_time_zone text not null default 'UTC'::text,
  payout_schedule_since timestamp(3) with time zone not null default now(),
  payout_minimums jsonb not null default '{}'::jsonb,
  payout_debtor jsonb,
  link_hosts text[] not null default '{}'::text[],
  link_cookie text not null default 'allowed'::text,
  link_window_days integer not null default 90,
  marketplace_review boolean not null default true,
  marketplace_share_bps integer not null default 8000,
  constraint programme_pkey PRIMARY KEY (only_row),
  constraint programme_first_charge_days_check CHECK (((first_charge_days >= 1) AND (first_charge_days <= 3650))),
  constraint programme_hold_days_check CHECK (((hold_days >= 0) AND (hold_days <= 365))),
  constraint programme_link_cookie_check CHECK ((link_cookie = ANY (ARRAY['allowed'::text, 'never'::text]))),
  constraint programme_link_window_days_check CHECK (((link_window_days >= 1) AND (link_window_days <= 365))),
  constraint programme_marketplace_share_bps_check CHECK (((marketplace_share_bps >= 0) AND (marketplace_share_bps <= 10000))),
  constraint programme_only_row_check CHECK (only_row),
  constraint programme_open_registrations_max_check CHECK (((open_registrations_max >= 1) AND (open_registrations_max <= 1000000))),
  constraint programme_override_bps_check CHECK (((cardinality(override_bps) <= 3) AND (0 <= ALL (override_bps)) AND (10000 >= ALL (override_bps)))),
  constraint programme_override_gate_check CHECK (((override_gate >= 0) AND (override_gate <= 1000000))),
  constraint programme_protection_days_check CHECK (((protection_days >= 1) AND (protection_days <= 3650))),
  constraint programme_registration_review_check CHECK ((registration_review = ANY (ARRAY['auto'::text, 'review'::text]))),
  constraint programme_sub_partner_invites_check CHECK ((sub_partner_invites = ANY (ARRAY['on'::text, 'off'::text]))),
  constraint programme_tier_grace_days_check CHECK (((tier_grace_days >= 0) AND (tier_grace_days <= 365))),
  constraint programme_total_cap_bps_check CHECK (((total_cap_bps >= 0) AND (total_cap_bps <= 10000)))
);

-- Who collects money for the operator: payments of links with a charge. Secrets are sealed. [billing/providers, global]
create table programme_providers (
  id text collate "C" not null,
  kind text not null,
  name text not null,
  status text not null default 'active'::text,
  config jsonb not null,
  secrets bytea,
  token text collate "C",
  live boolean not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint programme_providers_pkey PRIMARY KEY (id),
  constraint programme_providers_kind_check CHECK ((kind = ANY (ARRAY['test'::text, 'stripe'::text]))),
  constraint programme_providers_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);

-- What payment providers have told and was dealt with, so that copies of it cost nothing; the operator's providers have the partner operator. [billing/payments, tenant]
create table provider_events (
  partner_id text collate "C" not null,
  provider_id text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  handled_at timestamp(3) with time zone not null,
  constraint provider_events_pkey PRIMARY KEY (partner_id, provider_id, event_id)
);
CREATE INDEX provider_events_age ON public.provider_events USING btree (handled_at);

-- What the random token in a public path stands for, across all partners. [platform/http, by value]
create table public_tokens (
  token text collate "C" not null,
  kind text not null,
  partner_id text collate "C" not null,
  target_id text collate "C" not null,
  constraint public_tokens_pkey PRIMARY KEY (token),
  constraint public_tokens_kind_check CHECK ((kind = ANY (ARRAY['chat'::text, 'hook'::text, 'pay'::text])))
);

-- The tokens left in each rate limit bucket, and those leased to processes in the current and the previous time slot. [platform/limits, local]
create table rate_buckets (
  bucket text collate "C" not null,
  tokens double precision not null,
  refilled_at timestamp with time zone not null,
  slot bigint not null,
  leased_now double precision not null,
  leased_before double precision not null,
  constraint rate_buckets_pkey PRIMARY KEY (bucket)
);
CREATE INDEX rate_buckets_age ON public.rate_buckets USING btree (refilled_at);

-- The last number of an account's receipts, which have no gaps; those of tests are numbered apart. [billing/payments, tenant]
create table receipt_counters (
  partner_id text collate "C" not null,
  account_id text collate "C" not null,
  live boolean not null,
  last integer not null,
  constraint receipt_counters_pkey PRIMARY KEY (partner_id, account_id, live)
);

-- Records before a change that can be undone, such as an import or a lead merge, and the version that it left. Erasure deletes them. [crm/records, tenant]
create table record_images (
  partner_id text collate "C" not null,
  source_id text collate "C" not null,
  record_id text collate "C" not null,
  version integer not null,
  before jsonb not null,
  constraint record_images_pkey PRIMARY KEY (partner_id, source_id, record_id)
);
CREATE INDEX record_images_record ON public.record_images USING btree (partner_id, record_id);

-- Notes on the records of an account. [crm/timeline, tenant]
create table record_notes (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  record_id text collate "C" not null,
  body text not null,
  author_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint record_notes_pkey PRIMARY KEY (partner_id, id),
  constraint record_notes_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id)
);
CREATE INDEX record_notes_record ON public.record_notes USING btree (partner_id, record_id, id);

-- append-only but for: charge_id, applied_cents, status. What clients got back. One that comes before its charge waits for it; excess is more than was charged. [money/charges, tenant]
create table refunds (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  external_id text collate "C" not null,
  client_id text collate "C" not null,
  charge_external_id text collate "C" not null,
  amount_cents bigint not null,
  reason text,
  refunded_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  charge_id text collate "C",
  applied_cents bigint not null default 0,
  status text not null,
  constraint refunds_pkey PRIMARY KEY (partner_id, id),
  constraint refunds_amount_cents_check CHECK (((amount_cents >= 1) AND (amount_cents <= '9007199254740991'::bigint))),
  constraint refunds_applied_cents_check CHECK (((applied_cents >= 0) AND (applied_cents <= amount_cents))),
  constraint refunds_external_id UNIQUE (partner_id, external_id),
  constraint refunds_partner_id_charge_id_fkey FOREIGN KEY (partner_id, charge_id) REFERENCES charges(partner_id, id),
  constraint refunds_partner_id_client_id_fkey FOREIGN KEY (partner_id, client_id) REFERENCES clients(partner_id, id),
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'applied'::text, 'excess'::text])))
);
CREATE INDEX refunds_charge ON public.refunds USING btree (partner_id, charge_id, id) WHERE (charge_id IS NOT NULL);
CREATE INDEX refunds_waiting ON public.refunds USING btree (partner_id, charge_external_id, id) WHERE (status = 'waiting'::text);

-- Which deal or client holds a company, across all partners: until a time, or without an end while the client is one. [crm/deals, by value]
create table registration_claims (
  kind text not null,
  value text collate "C" not null,
  partner_id text collate "C" not null,
  deal_id text collate "C" not null,
  client_id text collate "C",
  until timestamp(3) with time zone,
  constraint registration_claims_pkey PRIMARY KEY (kind, value),
  constraint registration_claims_holder CHECK (((until IS NOT NULL) OR (client_id IS NOT NULL))),
  constraint registration_claims_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'name'::text, 'phone'::text])))
);
CREATE INDEX registration_claims_client ON public.registration_claims USING btree (partner_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX registration_claims_deal ON public.registration_claims USING btree (partner_id, deal_id);
CREATE INDEX registration_claims_until ON public.registration_claims USING btree (until) WHERE (until IS NOT NULL);

-- The registration of a sale: its approval, and until when its company is protected. [crm/deals, tenant]
create table registrations (
  partner_id text collate "C" not null,
  deal_id text collate "C" not null,
  status text not null,
  outcome text,
  protected_until timestamp(3) with time zone not null,
  reason text,
  submitted_at timestamp(3) with time zone not null,
  decided_by text collate "C",
  decided_at timestamp(3) with time zone,
  upline text[] collate "C" not null default '{}'::text[],
  constraint registrations_pkey PRIMARY KEY (partner_id, deal_id),
  constraint registrations_outcome_check CHECK ((outcome = ANY (ARRAY['won'::text, 'lost'::text]))),
  constraint registrations_partner_id_deal_id_fkey FOREIGN KEY (partner_id, deal_id) REFERENCES deals(partner_id, id) ON DELETE CASCADE,
  constraint registrations_status_check CHECK ((status = ANY (ARRAY['submitted'::text, 'approved'::text, 'rejected'::text, 'needs_info'::text, 'withdrawn'::text, 'expired'::text])))
);
CREATE INDEX registrations_deal ON public.registrations USING btree (deal_id);
CREATE INDEX registrations_expiry ON public.registrations USING btree (protected_until) WHERE ((outcome IS NULL) AND (status = ANY (ARRAY['submitted'::text, 'approved'::text, 'needs_info'::text])));
CREATE INDEX registrations_open ON public.registrations USING btree (partner_id, protected_until) WHERE ((outcome IS NULL) AND (status = ANY (ARRAY['submitted'::text, 'approved'::text, 'needs_info'::text])));
CREATE INDEX registrations_rejected ON public.registrations USING btree (partner_id, decided_at) WHERE ((outcome IS NULL) AND (status = 'rejected'::text));
CREATE INDEX registrations_status ON public.registrations USING btree (status, deal_id);

-- Deployments of a snapshot to many accounts, worked off in batches. [snapshots/rollouts, tenant]
create table rollouts (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  snapshot_id text collate "C" not null,
  snapshot_version integer not null,
  target jsonb not null,
  policy text not null,
  dry_run boolean not null,
  plan_of text collate "C",
  canary jsonb,
  canary_members integer not null,
  max_failure_percent integer not null,
  status text not null,
  status_reason text,
  total integer not null,
  counts jsonb not null,
  canary_counts jsonb not null,
  plans jsonb,
  worked_for text collate "C" not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  rolled_back_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint rollouts_pkey PRIMARY KEY (partner_id, id),
  constraint rollouts_partner_id_snapshot_id_fkey FOREIGN KEY (partner_id, snapshot_id) REFERENCES snapshots(partner_id, id),
  constraint rollouts_policy_check CHECK ((policy = ANY (ARRAY['merge'::text, 'skip'::text, 'overwrite'::text, 'fail'::text]))),
  constraint rollouts_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'canary'::text, 'running'::text, 'paused'::text, 'halted'::text, 'completed'::text, 'completed_with_errors'::text, 'cancelled'::text, 'rolling_back'::text, 'rolled_back'::text])))
);
CREATE INDEX rollouts_active ON public.rollouts USING btree (partner_id, id) WHERE (status = ANY (ARRAY['queued'::text, 'canary'::text, 'running'::text, 'rolling_back'::text]));
CREATE INDEX rollouts_snapshot ON public.rollouts USING btree (partner_id, snapshot_id, id);

-- What agents have said and would have done in the sandbox, for 30 days. Nothing of it has happened. [agents/sandbox, tenant]
create table sandbox_runs (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version integer not null,
  status text not null,
  request jsonb not null,
  result jsonb not null,
  state jsonb,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  constraint sandbox_runs_pkey PRIMARY KEY (partner_id, id),
  constraint sandbox_runs_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint sandbox_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'passed'::text, 'failed'::text, 'completed'::text, 'error'::text, 'timed_out'::text])))
);
CREATE INDEX sandbox_runs_agent ON public.sandbox_runs USING btree (partner_id, agent_id, id);
CREATE INDEX sandbox_runs_created ON public.sandbox_runs USING btree (created_at);
CREATE INDEX sandbox_runs_running ON public.sandbox_runs USING btree (created_at) WHERE (status = 'running'::text);

-- Secrets of authenticator apps, sealed, with recovery codes. [programme/sessions, local]
create table second_factors (
  user_id text collate "C" not null,
  secret bytea not null,
  confirmed_at timestamp(3) with time zone,
  last_step bigint not null default 0,
  recovery_codes bytea[] not null default '{}'::bytea[],
  created_at timestamp(3) with time zone not null,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- People who are signed in, each with the hash of the secret in the cookie. [programme/sessions, local]
create table sessions (
  id text collate "C" not null,
  hash bytea not null,
  user_id text collate "C" not null,
  agent text not null,
  ip inet not null,
  created_at timestamp(3) with time zone not null,
  authenticated_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_end ON public.sessions USING btree (expires_at);
CREATE UNIQUE INDEX sessions_hash ON public.sessions USING btree (hash);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

-- append-only: canonical manifests by the hash of their bytes. [snapshots/catalogue, tenant]
create table snapshot_contents (
  partner_id text collate "C" not null,
  sha256 text collate "C" not null,
  manifest text not null,
  constraint snapshot_contents_pkey PRIMARY KEY (partner_id, sha256)
);

-- The version of a snapshot that an account runs, and the record of each of its assets. No version: it was rolled back. [snapshots/deployments, tenant]
create table snapshot_installs (
  partner_id text collate "C" not null,
  client_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  version integer,
  deployment_id text collate "C",
  assets jsonb not null,
  updated_at timestamp(3) with time zone not null,
  constraint snapshot_installs_pkey PRIMARY KEY (partner_id, client_id, snapshot_id),
  constraint snapshot_installs_partner_id_client_id_fkey FOREIGN KEY (partner_id, client_id) REFERENCES clients(partner_id, id),
  constraint snapshot_installs_partner_id_snapshot_id_fkey FOREIGN KEY (partner_id, snapshot_id) REFERENCES snapshots(partner_id, id)
);
CREATE INDEX snapshot_installs_version ON public.snapshot_installs USING btree (partner_id, snapshot_id, version, client_id);

-- append-only: the versions of a snapshot that were ever offered. Whoever bought it may use them. [snapshots/marketplace, global]
create table snapshot_listing_versions (
  id text collate "C" not null,
  version integer not null,
  sha256 text collate "C" not null,
  changelog text,
  asset_counts jsonb not null,
  listed_at timestamp(3) with time zone not null,
  constraint snapshot_listing_versions_pkey PRIMARY KEY (id, version),
  constraint snapshot_listing_versions_id_fkey FOREIGN KEY (id) REFERENCES snapshot_listings(id)
);

-- The offer of a snapshot, by its id: as it is shown, and as it was last submitted to review. Private: it was withdrawn. [snapshots/marketplace, global]
create table snapshot_listings (
  id text collate "C" not null,
  seller_partner_id text collate "C" not null,
  visibility text not null,
  price_cents bigint not null,
  currency text collate "C" not null,
  name text not null,
  description text,
  listed_version integer,
  listed_at timestamp(3) with time zone,
  submitted_version integer not null,
  submitted_name text not null,
  submitted_description text,
  submitted_by text collate "C" not null,
  submitted_at timestamp(3) with time zone not null,
  review text not null,
  review_reason text,
  reviewed_by text collate "C",
  reviewed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint snapshot_listings_pkey PRIMARY KEY (id),
  constraint snapshot_listings_check CHECK (((listed_version IS NULL) = (listed_at IS NULL))),
  constraint snapshot_listings_price_cents_check CHECK ((price_cents >= 0)),
  constraint snapshot_listings_review_check CHECK ((review = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
  constraint snapshot_listings_seller_partner_id_fkey FOREIGN KEY (seller_partner_id) REFERENCES partners(id),
  constraint snapshot_listings_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'unlisted'::text, 'marketplace'::text])))
);
CREATE INDEX snapshot_listings_offered ON public.snapshot_listings USING btree (listed_at, id) WHERE ((visibility = 'marketplace'::text) AND (listed_version IS NOT NULL));
CREATE INDEX snapshot_listings_refused ON public.snapshot_listings USING btree (seller_partner_id, reviewed_at) WHERE (review = 'rejected'::text);
CREATE INDEX snapshot_listings_submitted ON public.snapshot_listings USING btree (submitted_at, id);

-- The plans of deployments, with what was before and after. Kept for 30 days after their last use. [snapshots/deployments, tenant]
create table snapshot_plans (
  partner_id text collate "C" not null,
  hash text collate "C" not null,
  plan text not null,
  used_at timestamp(3) with time zone not null,
  constraint snapshot_plans_pkey PRIMARY KEY (partner_id, hash)
);
CREATE INDEX snapshot_plans_used_at ON public.snapshot_plans USING btree (partner_id, used_at);

-- append-only but for: status, commission_id, completed_at, cancelled_at, version. Purchases of snapshots: a row of the buyer and a row of the seller, with the same id. [snapshots/marketplace, tenant]
create table snapshot_purchases (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  role text not null,
  snapshot_id text collate "C" not null,
  snapshot_version integer not null,
  seller_partner_id text collate "C" not null,
  buyer_partner_id text collate "C" not null,
  price_cents bigint not null,
  currency text collate "C" not null,
  share_bps integer not null,
  seller_share_cents bigint not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  status text not null,
  commission_id text collate "C",
  completed_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  version integer not null default 1,
  constraint snapshot_purchases_pkey PRIMARY KEY (partner_id, id),
  constraint snapshot_purchases_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint snapshot_purchases_price_cents_check CHECK ((price_cents >= 0)),
  constraint snapshot_purchases_role_check CHECK ((partner_id =
CASE role
    WHEN 'buyer'::text THEN buyer_partner_id
    WHEN 'seller'::text THEN seller_partner_id
    ELSE NULL::text
END)),
  constraint snapshot_purchases_share_check CHECK ((((share_bps >= 0) AND (share_bps <= 10000)) AND ((seller_share_cents >= 0) AND (seller_share_cents <= price_cents)))),
  constraint snapshot_purchases_sides_check CHECK ((buyer_partner_id <> seller_partner_id)),
  constraint snapshot_purchases_status_check CHECK ((status = ANY (ARRAY['due'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX snapshot_purchases_due ON public.snapshot_purchases USING btree (partner_id, id) WHERE (status = 'due'::text);
CREATE INDEX snapshot_purchases_id ON public.snapshot_purchases USING hash (id);
CREATE UNIQUE INDEX snapshot_purchases_one ON public.snapshot_purchases USING btree (partner_id, snapshot_id) WHERE ((role = 'buyer'::text) AND (status <> 'cancelled'::text));
CREATE INDEX snapshot_purchases_snapshot ON public.snapshot_purchases USING btree (partner_id, snapshot_id, id);

-- The record that each asset was captured from, so that a later capture gives it the same key. Parts have the keys asset/part. [snapshots/catalogue, tenant]
create table snapshot_sources (
  partner_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  account_id text collate "C" not null,
  type text collate "C" not null,
  key text collate "C" not null,
  record_id text collate "C" not null,
  constraint snapshot_sources_pkey PRIMARY KEY (partner_id, snapshot_id, account_id, type, key),
  constraint snapshot_sources_partner_id_snapshot_id_fkey FOREIGN KEY (partner_id, snapshot_id) REFERENCES snapshots(partner_id, id)
);

-- append-only: the versions of snapshots. [snapshots/catalogue, tenant]
create table snapshot_versions (
  partner_id text collate "C" not null,
  snapshot_id text collate "C" not null,
  version integer not null,
  sha256 text collate "C" not null,
  changelog text,
  asset_counts jsonb not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  constraint snapshot_versions_pkey PRIMARY KEY (partner_id, snapshot_id, version),
  constraint snapshot_versions_partner_id_sha256_fkey FOREIGN KEY (partner_id, sha256) REFERENCES snapshot_contents(partner_id, sha256),
  constraint snapshot_versions_partner_id_snapshot_id_fkey FOREIGN KEY (partner_id, snapshot_id) REFERENCES snapshots(partner_id, id)
);

-- The snapshots that a partner has: its own, and those that it bought, under the same id. [snapshots/catalogue, tenant]
create table snapshots (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  owner_partner_id text collate "C" not null,
  name text not null,
  description text,
  status text not null,
  visibility text not null default 'private'::text,
  price_cents bigint not null default 0,
  currency text collate "C" not null,
  latest_version integer not null default 0,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint snapshots_pkey PRIMARY KEY (partner_id, id),
  constraint snapshots_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint snapshots_price_cents_check CHECK ((price_cents >= 0)),
  constraint snapshots_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'deprecated'::text, 'archived'::text]))),
  constraint snapshots_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'unlisted'::text, 'marketplace'::text])))
);
CREATE UNIQUE INDEX snapshots_name ON public.snapshots USING btree (partner_id, lower(name)) WHERE ((owner_partner_id = partner_id) AND (status <> 'archived'::text));

-- The stages of a pipeline. An archived stage is kept for the deals that were in it. [accounts/pipelines, tenant]
create table stages (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  pipeline_id text collate "C" not null,
  name text not null,
  "position" integer not null,
  type text not null,
  probability integer not null,
  required_fields text[] not null default '{}'::text[],
  target_days integer,
  archived boolean not null default false,
  constraint stages_pkey PRIMARY KEY (partner_id, id),
  constraint stages_check CHECK (((type = 'open'::text) OR (probability =
CASE type
    WHEN 'won'::text THEN 100
    ELSE 0
END))),
  constraint stages_partner_id_pipeline_id_fkey FOREIGN KEY (partner_id, pipeline_id) REFERENCES pipelines(partner_id, id),
  constraint stages_probability_check CHECK (((probability >= 0) AND (probability <= 100))),
  constraint stages_type_check CHECK ((type = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
CREATE UNIQUE INDEX stages_name ON public.stages USING btree (partner_id, pipeline_id, lower(name)) WHERE (NOT archived);
CREATE INDEX stages_pipeline ON public.stages USING btree (partner_id, pipeline_id);

-- What the test provider knows of the payments that it was asked for, by the id of the attempt: it stands for the database of a provider elsewhere. [billing/providers, tenant]
create table test_sessions (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  state text not null default 'open'::text,
  then_state text,
  then_at timestamp(3) with time zone,
  card_last4 text,
  refunded_cents bigint not null default 0,
  created_at timestamp(3) with time zone not null,
  dispute text,
  constraint test_sessions_pkey PRIMARY KEY (partner_id, id),
  constraint test_sessions_dispute_check CHECK ((dispute = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  constraint test_sessions_state_check CHECK ((state = ANY (ARRAY['open'::text, 'confirming'::text, 'processing'::text, 'succeeded'::text, 'failed'::text, 'expired'::text]))),
  constraint test_sessions_then_check CHECK (((state = 'processing'::text) = ((then_state IS NOT NULL) AND (then_at IS NOT NULL))))
);

-- append-only: the grades of a partner over time, and the certifications that it got and lost. [programme/partners, tenant]
create table tier_changes (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  at timestamp(3) with time zone not null,
  previous_grade text collate "C" not null,
  grade text collate "C" not null,
  direction text not null,
  reason text not null,
  certification_id text collate "C",
  actor_id text collate "C" not null,
  constraint tier_changes_pkey PRIMARY KEY (partner_id, id),
  constraint tier_changes_direction_check CHECK ((direction = ANY (ARRAY['up'::text, 'down'::text, 'none'::text]))),
  constraint tier_changes_reason_check CHECK ((reason = ANY (ARRAY['metric'::text, 'certification'::text, 'manual'::text])))
);
CREATE INDEX tier_changes_at ON public.tier_changes USING btree (partner_id, at, id);

-- The grades of partners in ascending rank, what each requires, and its benefits. Null: as the programme says. [programme/tiers, global]
create table tiers (
  grade text collate "C" not null,
  name text not null,
  rank integer not null,
  requirements jsonb not null default '[]'::jsonb,
  hold_days integer,
  protection_days integer,
  open_registrations_max integer,
  rate_limit_per_minute integer,
  rate_limit_burst integer,
  api_access boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  payout_minimums jsonb not null default '{}'::jsonb,
  constraint tiers_pkey PRIMARY KEY (grade),
  constraint tiers_hold_days_check CHECK (((hold_days >= 0) AND (hold_days <= 365))),
  constraint tiers_open_registrations_max_check CHECK (((open_registrations_max >= 1) AND (open_registrations_max <= 1000000))),
  constraint tiers_protection_days_check CHECK (((protection_days >= 1) AND (protection_days <= 3650))),
  constraint tiers_rank_key UNIQUE (rank),
  constraint tiers_rate_limit_burst_check CHECK (((rate_limit_burst >= 1) AND (rate_limit_burst <= 1000000))),
  constraint tiers_rate_limit_per_minute_check CHECK (((rate_limit_per_minute >= 1) AND (rate_limit_per_minute <= 10000000)))
);

-- Uses of tools that somebody has to approve, with the record that they are about and its version then. [agents/sessions, tenant]
create table tool_approvals (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  agent_id text collate "C" not null,
  agent_version integer not null,
  conversation_id text collate "C" not null,
  session_id text collate "C" not null,
  turn_id text collate "C" not null,
  tool text not null,
  args jsonb not null,
  record_id text collate "C",
  record_version integer,
  status text not null default 'pending'::text,
  note text,
  decided_by text collate "C",
  decided_at timestamp(3) with time zone,
  result jsonb,
  executed_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint tool_approvals_pkey PRIMARY KEY (partner_id, id),
  constraint tool_approvals_decided_check CHECK (((status = ANY (ARRAY['approved'::text, 'rejected'::text])) = (decided_at IS NOT NULL))),
  constraint tool_approvals_executed_check CHECK (((executed_at IS NULL) OR (status = 'approved'::text))),
  constraint tool_approvals_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint tool_approvals_partner_id_conversation_id_fkey FOREIGN KEY (partner_id, conversation_id) REFERENCES conversations(partner_id, id),
  constraint tool_approvals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'expired'::text])))
);
CREATE INDEX tool_approvals_account ON public.tool_approvals USING btree (partner_id, account_id, id);
CREATE INDEX tool_approvals_conversation ON public.tool_approvals USING btree (partner_id, conversation_id);
CREATE INDEX tool_approvals_pending ON public.tool_approvals USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX tool_approvals_waiting ON public.tool_approvals USING btree (partner_id, created_at, id) WHERE (status = 'pending'::text);

-- Links that can be used once: to sign in, to accept an invitation, to reset a password. [programme/users, local]
create table user_links (
  hash bytea not null,
  user_id text collate "C" not null,
  purpose text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint user_links_pkey PRIMARY KEY (hash),
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'invitation'::text, 'password_reset'::text]))),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_links_user ON public.user_links USING btree (user_id);

-- People who sign in: a partners team, or the operators (no partner). [programme/users, global]
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
  state text not null default 'active'::text,
  clients text[],
  narrowed_version integer not null default 0,
  last_seen_at timestamp(3) with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_check CHECK (((role = 'operator'::text) = (partner_id IS NULL))),
  constraint users_clients_check CHECK ((cardinality(clients) > 0)),
  constraint users_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'read_only'::text, 'operator'::text]))),
  constraint users_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'active'::text])))
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));
CREATE INDEX users_partner ON public.users USING btree (partner_id, id);

-- Saved views of the portal: the filters and sort of a page as its URL has them. Without an account a view is for the pages of the whole partner. [accounts/views, tenant]
create table views (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C",
  page text not null,
  name text not null,
  query text not null,
  shared boolean not null default false,
  created_by text collate "C",
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint views_pkey PRIMARY KEY (partner_id, id),
  constraint views_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES clients(partner_id, id),
  constraint views_query_check CHECK ((length(query) <= 2000))
);
CREATE INDEX views_account ON public.views USING btree (partner_id, account_id, id) WHERE shared;
CREATE UNIQUE INDEX views_brought ON public.views USING btree (partner_id, account_id, page, lower(name)) WHERE (created_by IS NULL);
CREATE UNIQUE INDEX views_name ON public.views USING btree (partner_id, created_by, page, COALESCE(account_id, ''::text), lower(name), shared);
CREATE INDEX views_shared ON public.views USING btree (partner_id, page, id) WHERE shared;

-- Webhook endpoints. Null client_ids means all clients and partner-wide events. Header values are sealed. [outbox/webhooks, tenant]
create table webhook_endpoints (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  url text not null,
  event_types text[] not null,
  client_ids text[],
  description text,
  enabled boolean not null default true,
  disabled_reason text,
  disabled_at timestamp(3) with time zone,
  ordering text not null default 'subject'::text,
  max_in_flight integer not null default 16,
  rate_limit_per_second integer,
  timeout_ms integer not null default 15000,
  headers bytea,
  header_names text[] not null default '{}'::text[],
  metadata jsonb not null default '{}'::jsonb,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version integer not null default 1,
  constraint webhook_endpoints_pkey PRIMARY KEY (partner_id, id),
  constraint webhook_endpoints_check CHECK (((enabled = (disabled_at IS NULL)) AND (enabled = (disabled_reason IS NULL)))),
  constraint webhook_endpoints_client_ids_check CHECK (((client_ids IS NULL) OR (cardinality(client_ids) > 0))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['requested'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_event_types_check CHECK ((cardinality(event_types) > 0)),
  constraint webhook_endpoints_max_in_flight_check CHECK (((max_in_flight >= 1) AND (max_in_flight <= 64))),
  constraint webhook_endpoints_ordering_check CHECK ((ordering = ANY (ARRAY['none'::text, 'subject'::text, 'strict'::text]))),
  constraint webhook_endpoints_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint webhook_endpoints_rate_limit_per_second_check CHECK (((rate_limit_per_second >= 1) AND (rate_limit_per_second <= 10000))),
  constraint webhook_endpoints_timeout_ms_check CHECK (((timeout_ms >= 1000) AND (timeout_ms <= 30000)))
);

-- The worker that sends to an endpoint, and the health of the endpoint. One row per endpoint. [outbox/webhooks, tenant]
create table webhook_lanes (
  partner_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  owner text collate "C",
  epoch integer not null default 0,
  state text not null default 'healthy'::text,
  degraded_at timestamp(3) with time zone,
  probe_at timestamp(3) with time zone,
  probes integer not null default 0,
  failing_since timestamp(3) with time zone,
  failures integer not null default 0,
  last_success_at timestamp(3) with time zone,
  last_failure_at timestamp(3) with time zone,
  constraint webhook_lanes_pkey PRIMARY KEY (partner_id, endpoint_id),
  constraint webhook_lanes_partner_id_endpoint_id_fkey FOREIGN KEY (partner_id, endpoint_id) REFERENCES webhook_endpoints(partner_id, id) ON DELETE CASCADE,
  constraint webhook_lanes_state_check CHECK ((state = ANY (ARRAY['healthy'::text, 'degraded'::text])))
);
CREATE INDEX webhook_lanes_owner ON public.webhook_lanes USING btree (owner) WHERE (owner IS NOT NULL);

-- Replays of past events, with their progress. [outbox/webhooks, tenant]
create table webhook_replays (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  request jsonb not null,
  cursor text collate "C",
  total integer not null,
  queued integer not null default 0,
  state text not null default 'running'::text,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  constraint webhook_replays_pkey PRIMARY KEY (partner_id, id),
  constraint webhook_replays_partner_id_endpoint_id_fkey FOREIGN KEY (partner_id, endpoint_id) REFERENCES webhook_endpoints(partner_id, id) ON DELETE CASCADE,
  constraint webhook_replays_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX webhook_replays_endpoint ON public.webhook_replays USING btree (partner_id, endpoint_id, id);
CREATE UNIQUE INDEX webhook_replays_running ON public.webhook_replays USING btree (partner_id, endpoint_id) WHERE (state = 'running'::text);

-- The sealed signing secrets of an endpoint. All but the newest have an expiry. [outbox/webhooks, tenant]
create table webhook_secrets (
  partner_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  secret bytea not null,
  hint text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (partner_id, endpoint_id, created_at),
  constraint webhook_secrets_partner_id_endpoint_id_fkey FOREIGN KEY (partner_id, endpoint_id) REFERENCES webhook_endpoints(partner_id, id) ON DELETE CASCADE
);

-- The processes that send deliveries, with their heartbeats. The lanes of a dead one are taken over. [outbox/webhooks, local]
create table webhook_workers (
  id text collate "C" not null,
  alive_until timestamp(3) with time zone not null,
  constraint webhook_workers_pkey PRIMARY KEY (id)
);
