-- The clients that run a snapshot. Where most of them do, a list reads its first rows instead.
create index clients_snapshots on clients using gin (partner_id, snapshots jsonb_path_ops) where snapshots <> '[]';

-- What the operator has refused of a seller.
create index snapshot_listings_refused on snapshot_listings (seller_partner_id, reviewed_at) where review = 'rejected';
