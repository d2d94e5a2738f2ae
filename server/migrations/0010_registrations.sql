alter table programme
  add column registration_review    text not null default 'auto' check (registration_review in ('auto', 'review')),
  add column protection_days        int not null default 90 check (protection_days between 1 and 3650),
  add column open_registrations_max int not null default 100 check (open_registrations_max between 1 and 1000000);

create table registrations (
  partner_id       text collate "C" not null,
  deal_id          text collate "C" not null,
  status           text not null check (status in ('submitted', 'approved', 'rejected', 'needs_info', 'withdrawn', 'expired')),
  outcome          text check (outcome in ('won', 'lost')),
  protected_until  timestamptz(3) not null,
  reason           text,
  submitted_at     timestamptz(3) not null,
  decided_by       text collate "C",
  decided_at       timestamptz(3),
  primary key (partner_id, deal_id),
  foreign key (partner_id, deal_id) references deals (partner_id, id) on delete cascade
);
comment on table registrations is 'Partner sales as the programme knows them: whether one is approved, and until when its company is protected.';
comment on column registrations.outcome is 'Null while the sale is under way. A deleted one is lost.';
create index registrations_deal on registrations (deal_id);
create index registrations_status on registrations (status, deal_id);
create index registrations_open on registrations (partner_id, protected_until)
  where outcome is null and status in ('submitted', 'approved', 'needs_info');
create index registrations_expiry on registrations (protected_until)
  where outcome is null and status in ('submitted', 'approved', 'needs_info');

create table registration_claims (
  kind        text not null check (kind in ('domain', 'name', 'phone')),
  value       text collate "C" not null,
  partner_id  text collate "C" not null,
  deal_id     text collate "C" not null,
  client_id   text collate "C",
  until       timestamptz(3),
  primary key (kind, value),
  foreign key (partner_id, deal_id) references registrations (partner_id, deal_id) on delete cascade,
  foreign key (partner_id, client_id) references clients (partner_id, id),
  check ((until is null) = (client_id is not null))
);
comment on table registration_claims is 'Whose a company is, over all partners: until a time, or for as long as the client that it became is one.';
create index registration_claims_deal on registration_claims (partner_id, deal_id);
create index registration_claims_client on registration_claims (partner_id, client_id) where client_id is not null;
create index registration_claims_until on registration_claims (until) where until is not null;

-- A registration shows in its deal, so what changes the one makes a new version of the other.
create function touch_deal(of_partner text, of_deal text, at timestamptz) returns int
  language sql
  begin atomic
    update deals set version = version + 1, updated_at = at where partner_id = of_partner and id = of_deal returning version;
  end;
