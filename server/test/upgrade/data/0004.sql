-- A partner with limits of its own, and what is left of them.
update partners set rate_limit_per_minute = 60000, rate_limit_burst = 5000 where parent_id is null;
insert into rate_buckets values ('ptr_01m70000000000000000000001', 12.5, now(), 1, 2, 3);
