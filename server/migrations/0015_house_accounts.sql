alter table partners add column house_account_id text collate "C";
update partners p set house_account_id = c.id from clients c where c.partner_id = p.id and c.house;
comment on column partners.house_account_id is 'The client account of the partner itself. Stored here because a list of partners cannot join the clients of all of them on a cluster. No foreign key: a global table has none to a tenants.';
