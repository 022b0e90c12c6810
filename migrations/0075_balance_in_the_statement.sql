-- What the deferred triggers of the journal refuse at the commit is also asked by the statement that appends the entries, so that
-- a dry run sees it, and a cluster refuses it with its code.
create function refuse_unbalanced(entry_no bigint, total numeric) returns void language plpgsql as $$
begin
  if total <> 0 then
    raise exception 'entry % does not balance: %', entry_no, total using errcode = 'MB003';
  end if;
  raise exception 'entry % is a voucher without postings', entry_no using errcode = 'MB003';
end $$;
