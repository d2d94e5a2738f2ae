alter table leads add column rescored integer not null default 0;
comment on column leads.rescored is 'How many of its versions rescoring made: with these alone, nobody has worked on it since an import.';
