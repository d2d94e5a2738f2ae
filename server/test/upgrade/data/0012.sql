-- Comments only.
select 1;
