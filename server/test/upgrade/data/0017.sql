-- A plain deal of the house account with the fields of a sale.
insert into deals (partner_id, id, account_id, sale, pipeline_id, stage_id, status, stage_entered_at, name, currency, company, mrr_cents, created_at, updated_at)
select d.partner_id, 'deal_01mh0000000000000000000001', d.account_id, false, d.pipeline_id, d.stage_id, d.status, d.stage_entered_at, 'Ten seats', 'usd',
  'Harbour Dental', 49900, d.created_at, d.updated_at
from deals d where d.id = 'deal_01ma0000000000000000000001';
insert into deal_stages (partner_id, deal_id, ordinal, account_id, pipeline_id, stage_id, entered_at, left_at, moved_by, note)
select d.partner_id, d.id, 0, d.account_id, d.pipeline_id, d.stage_id, d.stage_entered_at, null, 'system', null
from deals d where d.id = 'deal_01mh0000000000000000000001';
