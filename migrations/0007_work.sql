-- Hours that people worked on lines, and the days on which lines were completed.

-- Whether issued credit notes have given back every line of an invoice to the last unit: its work may then be
-- billed anew.
create function is_fully_credited(account uuid, invoice uuid) returns boolean language sql stable as $$
  select not exists (
    select from invoice_lines l
    where l.account_id = account and l.invoice_id = invoice and coalesce(l.amount, 0) <> (
      select coalesce(sum(c.amount), 0) from credit_note_lines c
      join credit_notes n on n.account_id = c.account_id and n.id = c.credit_note_id
      where c.account_id = account and c.invoice_line_id = l.id and n.status = 'issued'))
$$;

create table work_registrations (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  -- The line of an invoice, or of an occurrence. That of an occurrence has no row until its period is issued, and
  -- then has this very id: hence no foreign key.
  line_id uuid not null,
  -- The one-time invoice of the line; for the line of an occurrence its invoice, once that is issued.
  invoice_id uuid,
  -- The occurrence of the line, with the key of its period.
  series_id uuid,
  period_index integer check (period_index >= 0),
  period text,
  user_id uuid not null,
  date date not null,
  -- 1/100 of an hour.
  hours integer not null check (hours between 1 and 2400),
  billable boolean not null,
  note text,
  status text not null check (status in ('open', 'invoiced', 'dropped')),
  -- Digest of the creating request: the same external_id with the same content is a repeat, not a conflict.
  request_hash bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  foreign key (account_id, invoice_id) references invoices (account_id, id),
  foreign key (account_id, series_id) references recurring_series (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  check ((series_id is null) = (period_index is null)),
  check ((series_id is null) = (period is null)),
  -- Every line is on an invoice or in an occurrence, or was in one and is on its invoice now.
  check (invoice_id is not null or series_id is not null),
  check (status <> 'invoiced' or invoice_id is not null),
  -- Only a cancellation drops work, and only that of periods that were never issued.
  check (status <> 'dropped' or (series_id is not null and invoice_id is null)),
  check (status <> 'open' or (series_id is null) <> (invoice_id is null))
);
create index work_registrations_line on work_registrations (account_id, line_id);
create index work_registrations_user_day on work_registrations (account_id, user_id, date);
create index work_registrations_updated on work_registrations (account_id, updated_at, id);
create index work_registrations_period on work_registrations (account_id, series_id, period_index)
  where series_id is not null;
create index work_registrations_invoice on work_registrations (account_id, invoice_id, id)
  where invoice_id is not null;

-- Invoiced work is frozen as its invoice is. Of a fully credited invoice it may be moved to another line, and nothing
-- else. Nothing is registered on an invoice that is issued.
create function refuse_change_of_invoiced_work() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status = 'invoiced' then
    if tg_op = 'DELETE' or new.status <> 'open' or new.line_id = old.line_id
      or (to_jsonb(new) - '{line_id,invoice_id,series_id,period_index,period,status,updated_at}'::text[])
        is distinct from
        (to_jsonb(old) - '{line_id,invoice_id,series_id,period_index,period,status,updated_at}'::text[])
      or not is_fully_credited(old.account_id, old.invoice_id) then
      raise exception 'work registration % is invoiced', old.id using errcode = 'MB002';
    end if;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  if new.status = 'open' and new.invoice_id is not null then
    perform refuse_issued_invoice(new.account_id, new.invoice_id);
  end if;
  return new;
end $$;
create trigger work_registrations_frozen before insert or update or delete on work_registrations
  for each row execute function refuse_change_of_invoiced_work();

-- On which day a line by milestone or progress was completed. Beside the lines, because those of issued invoices are
-- frozen (decisions.md 35).
create table line_completions (
  account_id uuid not null,
  line_id uuid not null,
  completed_on date not null,
  primary key (account_id, line_id),
  foreign key (account_id, line_id) references invoice_lines (account_id, id) on delete cascade
);
