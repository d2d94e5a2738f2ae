alter table payment_attempts add column language text;
alter table payment_attempts add constraint payment_attempts_language_check check (language in ('en', 'de', 'fr', 'es', 'pt'));
comment on column payment_attempts.language is 'What the payer reads, for the way back from the page of a provider; null for the language of the browser.';
