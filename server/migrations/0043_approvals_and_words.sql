-- The approvals of a partner that wait: its home shows them.
create index tool_approvals_waiting on tool_approvals (partner_id, created_at, id) where status = 'pending';

-- The languages of an account's sources, with which each search begins.
create index knowledge_sources_language on knowledge_sources (partner_id, account_id, language);

-- The words of an account's passages. An account is of one partner, so the partner would only be one more list to go through.
drop index knowledge_chunks_words;
create index knowledge_chunks_words on knowledge_chunks using gin (account_id, tsv);
