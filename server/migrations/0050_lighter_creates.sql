-- Each row is updated once, soon after it was inserted: with room on its page the new version stays there, and its log record is the position alone.
alter table event_feed set (fillfactor = 45);
alter table change_feed set (fillfactor = 45);

-- Neither partners nor clients are ever deleted. Whoever adds a client reads its partner in the same transaction, and a movement is written with its client:
-- checking both once more locked the partner's row, which all who add clients share.
alter table clients drop constraint clients_partner_id_fkey;
alter table client_movements drop constraint client_movements_partner_id_client_id_fkey;
