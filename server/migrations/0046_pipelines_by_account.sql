-- All pipelines of some accounts, archived ones included: a rollout looks at them before each batch.
create index pipelines_account on pipelines (partner_id, account_id, id);
