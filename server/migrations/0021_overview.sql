-- The deals of a stage in the order in which they entered it: for the columns of a board, and for deals that are over the target of their stage.
create index deals_in_stage on deals (partner_id, stage_id, stage_entered_at, id) where deleted_at is null;
