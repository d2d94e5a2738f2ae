-- The conversations in which a person waits: the portal counts them with every change that it hears of.
create index conversations_waiting on conversations (partner_id, account_id)
  where waiting_since is not null and status = 'open' and archived_at is null;
