-- Locks what decides whether work may be registered on a line, in the order of all transactions: the series of the line, or else
-- its one-time draft and then the person. Returns the draft; null for a line of a series, and for a line without a row.
create function lock_line(account uuid, line uuid, person uuid) returns uuid language plpgsql as $$
declare
  draft uuid;
  series uuid;
begin
  select i.id, i.series_id into draft, series from invoice_lines l
    join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
    where l.account_id = account and l.id = line;
  if draft is null then
    select l.series_id into series from series_lines l where l.account_id = account and l.line_id = line;
  end if;
  if series is not null then
    perform 1 from recurring_series s where s.account_id = account and s.id = series for no key update of s;
    return null;
  end if;
  if draft is null then
    return null;
  end if;
  perform 1 from invoices d where d.account_id = account and d.id = draft for no key update of d;
  perform 1 from users u where u.account_id = account and u.id = person for no key update of u;
  return draft;
end
$$;
