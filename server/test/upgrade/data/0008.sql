-- A second pipeline with a stage that is no longer used, deals that are open, won, lost and deleted, and where each of them stood.
insert into pipelines (partner_id, id, account_id, name, rules, created_at, updated_at) values
  ('ptr_01m70000000000000000000001', 'ppl_01m80000000000000000000001', 'cli_01m70000000000000000000002', 'Renewals', '{"no_skip": true}',
    '2026-11-01T08:00:00Z', '2026-11-01T08:00:00Z');
insert into stages (partner_id, id, pipeline_id, name, position, type, probability, required_fields, archived) values
  ('ptr_01m70000000000000000000001', 'stg_01m80000000000000000000001', 'ppl_01m80000000000000000000001', 'Due', 0, 'open', 60, '{amount_cents}', false),
  ('ptr_01m70000000000000000000001', 'stg_01m80000000000000000000002', 'ppl_01m80000000000000000000001', 'Renewed', 1, 'won', 100, '{}', false),
  ('ptr_01m70000000000000000000001', 'stg_01m80000000000000000000003', 'ppl_01m80000000000000000000001', 'Gone', 2, 'lost', 0, '{}', false),
  ('ptr_01m70000000000000000000001', 'stg_01m80000000000000000000004', 'ppl_01m80000000000000000000001', 'Asked', 3, 'open', 10, '{}', true);
insert into deals (partner_id, id, account_id, sale, pipeline_id, stage_id, status, stage_entered_at, name, amount_cents, currency, tags, notes, custom,
  won_at, first_won_at, lost_at, lost_reason, deleted_at, created_at, updated_at, version)
select 'ptr_01m70000000000000000000001', 'deal_01m8' || lpad(i::text, 22, '0'), 'cli_01m70000000000000000000002', false, 'ppl_01m80000000000000000000001',
  'stg_01m8000000000000000000000' || 1 + i % 3, (array['open', 'won', 'lost'])[1 + i % 3], '2026-11-03T08:00:00Z', 'Renewal ' || i, i * 1000, 'usd',
  array['row ' || i], E'tab\there', '{}', case i % 3 when 1 then timestamptz '2026-11-03T08:00:00Z' end,
  case i % 3 when 1 then timestamptz '2026-11-03T08:00:00Z' end, case i % 3 when 2 then timestamptz '2026-11-03T08:00:00Z' end,
  case i % 3 when 2 then 'Too dear' end, case when i = 9 then timestamptz '2026-11-04T08:00:00Z' end, '2026-11-01T08:00:00Z', '2026-11-03T08:00:00Z', 2
from generate_series(1, 9) i;
insert into deal_stages (partner_id, deal_id, ordinal, account_id, pipeline_id, stage_id, entered_at, left_at, moved_by, note)
select d.partner_id, d.id, n, d.account_id, d.pipeline_id, case n when 0 then 'stg_01m80000000000000000000001' else d.stage_id end,
  case n when 0 then d.created_at else d.stage_entered_at end, case n when 0 then d.stage_entered_at end, 'key_01m70000000000000000000001', 'Row ' || n
from deals d, generate_series(0, 1) n where d.id like 'deal_01m8%';
