-- Settings of the programme.
alter table programme add column marketplace_review boolean not null default true;
alter table programme add column marketplace_share_bps int not null default 8000;
alter table programme add constraint programme_marketplace_share_bps_check check (marketplace_share_bps between 0 and 10000);

-- What partners offer to each other.
create table snapshot_listings (
  id text collate "C" not null,
  seller_partner_id text collate "C" not null,
  visibility text not null,
  price_cents bigint not null,
  currency text collate "C" not null,
  name text not null,
  description text,
  listed_version int,
  listed_at timestamptz(3),
  submitted_version int not null,
  submitted_name text not null,
  submitted_description text,
  submitted_by text collate "C" not null,
  submitted_at timestamptz(3) not null,
  review text not null,
  review_reason text,
  reviewed_by text collate "C",
  reviewed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null default 1,
  constraint snapshot_listings_pkey primary key (id),
  constraint snapshot_listings_visibility_check check (visibility in ('private', 'unlisted', 'marketplace')),
  constraint snapshot_listings_price_cents_check check (price_cents >= 0),
  constraint snapshot_listings_review_check check (review in ('pending', 'approved', 'rejected')),
  constraint snapshot_listings_check check ((listed_version is null) = (listed_at is null))
);
alter table snapshot_listings add constraint snapshot_listings_seller_partner_id_fkey foreign key (seller_partner_id) references partners (id);
create index snapshot_listings_offered on snapshot_listings (listed_at, id) where visibility = 'marketplace' and listed_version is not null;
create index snapshot_listings_submitted on snapshot_listings (submitted_at, id);
comment on table snapshot_listings is 'The offer of a snapshot, by its id: as it is shown, and as it was last submitted to review. Private: it was withdrawn. [snapshots/marketplace, global]';

create table snapshot_listing_versions (
  id text collate "C" not null,
  version int not null,
  sha256 text collate "C" not null,
  changelog text,
  asset_counts jsonb not null,
  listed_at timestamptz(3) not null,
  constraint snapshot_listing_versions_pkey primary key (id, version),
  constraint snapshot_listing_versions_id_fkey foreign key (id) references snapshot_listings (id)
);
comment on table snapshot_listing_versions is 'append-only: the versions of a snapshot that were ever offered. Whoever bought it may use them. [snapshots/marketplace, global]';

create table snapshot_purchases (
  partner_id text collate "C" not null,
  id text collate "C" not null,
  role text not null,
  snapshot_id text collate "C" not null,
  snapshot_version int not null,
  seller_partner_id text collate "C" not null,
  buyer_partner_id text collate "C" not null,
  price_cents bigint not null,
  currency text collate "C" not null,
  share_bps int not null,
  seller_share_cents bigint not null,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null,
  status text not null,
  commission_id text collate "C",
  completed_at timestamptz(3),
  cancelled_at timestamptz(3),
  version int not null default 1,
  constraint snapshot_purchases_pkey primary key (partner_id, id),
  constraint snapshot_purchases_role_check check (partner_id = case role when 'buyer' then buyer_partner_id when 'seller' then seller_partner_id end),
  constraint snapshot_purchases_sides_check check (buyer_partner_id <> seller_partner_id),
  constraint snapshot_purchases_price_cents_check check (price_cents >= 0),
  constraint snapshot_purchases_share_check check (share_bps between 0 and 10000 and seller_share_cents between 0 and price_cents),
  constraint snapshot_purchases_status_check check (status in ('due', 'completed', 'cancelled'))
);
alter table snapshot_purchases add constraint snapshot_purchases_partner_id_fkey foreign key (partner_id) references partners (id);
create unique index snapshot_purchases_one on snapshot_purchases (partner_id, snapshot_id) where role = 'buyer' and status <> 'cancelled';
create index snapshot_purchases_snapshot on snapshot_purchases (partner_id, snapshot_id, id);
create index snapshot_purchases_due on snapshot_purchases (partner_id, id) where status = 'due';
create index snapshot_purchases_id on snapshot_purchases using hash (id);
comment on table snapshot_purchases is 'append-only but for: status, commission_id, completed_at, cancelled_at, version. Purchases of snapshots: a row of the buyer and a row of the seller, with the same id. [snapshots/marketplace, tenant]';
