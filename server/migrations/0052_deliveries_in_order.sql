-- Live deliveries and replays are read each in an order of their own. In one order by id, whoever read one kind went through all that waited of the other.
drop index deliveries_in_order;
create index deliveries_in_order on deliveries (partner_id, endpoint_id, replay_id, id) where status = 'pending';

alter table webhook_endpoints alter column ordering set default 'subject';
