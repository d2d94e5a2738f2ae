-- What people wrote in the conversations of others, by mail: an erasure looks for it.
create index messages_joined on messages (partner_id, author_id) where direction = 'in' and detail ? 'from';
