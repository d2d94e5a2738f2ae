-- A transaction that assumes what it knows has the database confirm it, in the flight that also commits: if it does not hold, nothing is written.
create function confirm(holds boolean) returns void language plpgsql as $$
begin
  if holds is not true then
    raise exception 'what the transaction assumed does not hold' using errcode = 'TB001';
  end if;
end $$;
