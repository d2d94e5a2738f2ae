-- Sales of the house account in every state of their registration, and whose their companies are.
insert into deals (partner_id, id, account_id, sale, pipeline_id, stage_id, status, stage_entered_at, name, currency, company, company_domain, contact, plan,
  mrr_cents, client_id, won_at, first_won_at, lost_at, created_at, updated_at)
select c.partner_id, 'deal_01ma' || lpad(i::text, 22, '0'), c.id, true, p.id, s.id, s.type, '2026-11-05T08:00:00Z', 'Sale ' || i, 'usd', 'Company ' || i,
  'company' || i || '.example', '{"email": "ada@company.example"}', 'Growth', i * 1000, case s.type when 'won' then 'cli_01m70000000000000000000002' end,
  case s.type when 'won' then timestamptz '2026-11-05T08:00:00Z' end, case s.type when 'won' then timestamptz '2026-11-05T08:00:00Z' end,
  case s.type when 'lost' then timestamptz '2026-11-05T08:00:00Z' end, '2026-11-01T08:00:00Z', '2026-11-05T08:00:00Z'
from generate_series(1, 8) i
  join clients c on c.partner_id = 'ptr_01m70000000000000000000001' and c.house
  join pipelines p on p.partner_id = c.partner_id and p.account_id = c.id
  join stages s on s.partner_id = p.partner_id and s.pipeline_id = p.id and s.name = case i when 7 then 'Won' when 8 then 'Lost' else 'New' end;
insert into registrations (partner_id, deal_id, status, outcome, protected_until, reason, submitted_at, decided_by, decided_at)
select d.partner_id, d.id, (array['submitted', 'approved', 'rejected', 'needs_info', 'withdrawn', 'expired', 'approved', 'approved'])[right(d.id, 1)::int],
  nullif(d.status, 'open'), '2027-02-01T08:00:00Z', 'Row ' || right(d.id, 1), '2026-11-01T08:00:00Z', 'key_01m70000000000000000000001', '2026-11-02T08:00:00.123Z'
from deals d where d.id like 'deal_01ma%';
insert into registration_claims (kind, value, partner_id, deal_id, client_id, until)
select k.kind, k.value, d.partner_id, d.id, d.client_id, case when d.client_id is null then timestamptz '2027-02-01T08:00:00Z' end
from deals d, lateral (values ('domain', d.company_domain), ('name', lower(d.company))) k (kind, value)
where d.id like 'deal_01ma%' and right(d.id, 1) in ('1', '2', '4', '7');
update programme set registration_review = 'review', protection_days = 45, open_registrations_max = 25;
