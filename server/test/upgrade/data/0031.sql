-- An offer that the operator refused.
insert into snapshot_listings (id, seller_partner_id, visibility, price_cents, currency, name, submitted_version, submitted_name, submitted_by, submitted_at, review, review_reason, reviewed_by, reviewed_at, created_at, updated_at, version) values
  ('snap_01mk0000000000000000000001', 'ptr_01m70000000000000000000001', 'marketplace', 0, 'usd', 'Refused', 1, 'Refused', 'system', '2026-11-16T08:00:00Z', 'rejected', 'Too short', 'system', '2026-11-16T09:00:00Z', '2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z', 2);
