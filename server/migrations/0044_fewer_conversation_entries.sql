-- Every message moves its conversation, and with it an entry of each of its indexes. These two now have entries only where they are of use:
-- answers are found by a token on e-mail channels alone, and most conversations have no tags.
drop index conversations_reply_token;
create unique index conversations_reply_token on conversations (partner_id, reply_token) where channel_kind = 'email';
drop index conversations_tags;
create index conversations_tags on conversations using gin (partner_id, tags) where tags <> '{}';

-- Mail from an address of the partner's own channels is never answered automatically.
create index channels_addresses on channels (partner_id, lower(config ->> 'from')) where kind = 'email';
