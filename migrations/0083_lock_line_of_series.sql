-- Locks what decides whether work may be registered on a line, in the order of all transactions: the series of the line, or else
-- its one-time draft; and then the person. Returns what it locked: the draft, and the series, of which the last digits of an id
-- may name several. A line of a period is found by its invoice, by these digits, or among the ids that are hashes.
drop function lock_line(uuid, uuid, uuid);
create function lock_line(account uuid, line uuid, person uuid) returns table (draft uuid, series uuid[])
language plpgsql as $$
declare
  of_invoice uuid;
begin
  select i.id, i.series_id into draft, of_invoice from invoice_lines l
    join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
    where l.account_id = account and l.id = line;
  if of_invoice is not null then
    draft := null;
    series := array[of_invoice];
  elsif draft is not null then
    series := '{}';
  else
    series := array(
      select e.series_id from series_lines e
        where e.account_id = account and right(e.line_id::text, 17) = right(line::text, 17)
      union
      select k.series_id from hashed_line_ids h
        join series_lines k on k.account_id = h.account_id and k.line_id = h.line_id
        where h.account_id = account and h.id = line);
  end if;
  perform 1 from recurring_series s where s.account_id = account and s.id = any(series) order by s.id for no key update of s;
  perform 1 from invoices d where d.account_id = account and d.id = draft for no key update of d;
  perform 1 from users u where u.account_id = account and u.id = person for no key update of u;
  return next;
end
$$;
