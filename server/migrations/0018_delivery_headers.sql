alter table delivery_attempts add column request_headers json;
comment on column delivery_attempts.request_headers is 'The headers that were sent, without the values of the endpoints own. Null: nothing was sent, or it was before they were kept.';

-- For a list of the tests of an endpoint, and of a replay: both are few among its deliveries.
create index deliveries_test on deliveries (partner_id, endpoint_id, id) where test;
create index deliveries_of_replay on deliveries (partner_id, replay_id, id) where replay_id is not null;
