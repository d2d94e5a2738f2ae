alter table payment_links add column language text;
alter table payment_links add column remind jsonb;
alter table payment_links add constraint payment_links_language_check check (language in ('en', 'de', 'fr', 'es', 'pt'));
comment on column payment_links.language is 'The language of messages to the payer and of receipts; null for English.';
comment on column payment_links.remind is 'When to remind the payer, in days from due_on, and on which channels; null for never.';

create table payment_messages (
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  message_id text collate "C" not null,
  channel text not null,
  reminder boolean not null,
  created_at timestamptz(3) not null,
  constraint payment_messages_pkey primary key (partner_id, link_id, message_id),
  constraint payment_messages_channel_check check (channel in ('sms', 'email', 'whatsapp'))
);
alter table payment_messages add constraint payment_messages_partner_id_link_id_fkey foreign key (partner_id, link_id) references payment_links (partner_id, id);
comment on table payment_messages is 'The messages that a payment link was sent with. [billing/payment-links, tenant]';

create table payment_reminders (
  partner_id text collate "C" not null,
  link_id text collate "C" not null,
  at timestamptz(3) not null,
  state text not null default 'planned',
  reason text,
  constraint payment_reminders_pkey primary key (partner_id, link_id, at),
  constraint payment_reminders_state_check check (state in ('planned', 'sent', 'skipped')),
  constraint payment_reminders_reason_check check ((state = 'skipped') = (reason is not null))
);
alter table payment_reminders add constraint payment_reminders_partner_id_link_id_fkey foreign key (partner_id, link_id) references payment_links (partner_id, id);
create index payment_reminders_due on payment_reminders (at) where state = 'planned';
comment on table payment_reminders is 'When the payer of a link is reminded: one row for each time, which is sent at most once. [billing/payment-links, tenant]';

create index audit_entries_payments on audit_entries (partner_id, client_id, id) where action like 'payments.%' and not tallied;
