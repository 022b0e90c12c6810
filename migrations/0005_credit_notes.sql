-- Credit notes. What is credited never exceeds a line; what is issued never changes.

create table credit_notes (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  invoice_id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('full', 'partial')),
  status text not null check (status in ('draft', 'issued')),
  credit_date date not null,
  ledger_credit_note_guid uuid,
  ledger_credit_note_number bigint,
  issued_at timestamptz,
  -- Why the last sending failed; null again when a later one succeeds.
  send_error text,
  -- Raised by a cancellation and issued by the scheduler; null for those that a caller creates.
  queue_state text check (queue_state in ('queued', 'failed')),
  queue_attempts integer not null default 0,
  next_attempt_at timestamptz,
  request_hash bytea,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  unique (account_id, ledger_credit_note_guid),
  unique (account_id, ledger_credit_note_number),
  foreign key (account_id, invoice_id) references invoices (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  check ((status = 'issued') = (ledger_credit_note_guid is not null)),
  check ((status = 'issued') = (ledger_credit_note_number is not null)),
  check ((status = 'issued') = (issued_at is not null)),
  check (status = 'draft' or queue_state is null)
);
create index credit_notes_invoice on credit_notes (account_id, invoice_id, id);
create index credit_notes_customer on credit_notes (account_id, customer_id, id);
create index credit_notes_updated on credit_notes (account_id, updated_at, id);
create index credit_notes_queue on credit_notes (account_id, id) where queue_state is not null;

create table credit_note_lines (
  account_id uuid not null,
  id uuid not null,
  credit_note_id uuid not null,
  invoice_line_id uuid not null,
  amount money_minor not null check (amount > 0),
  position integer not null check (position >= 1),
  -- A cancellation's credit ends the line's service on this day.
  new_service_to date,
  primary key (account_id, id),
  unique (account_id, credit_note_id, invoice_line_id),
  foreign key (account_id, credit_note_id) references credit_notes (account_id, id) on delete cascade,
  foreign key (account_id, invoice_line_id) references invoice_lines (account_id, id)
);
create index credit_note_lines_line on credit_note_lines (account_id, invoice_line_id);

create function refuse_change_of_issued_credit_note() returns trigger language plpgsql as $$
begin
  if old.status = 'issued' and (tg_op = 'DELETE' or
      (to_jsonb(new) - '{send_error,document,updated_at}'::text[]) is distinct from
      (to_jsonb(old) - '{send_error,document,updated_at}'::text[])) then
    raise exception 'credit note % is issued', old.id using errcode = 'MB002';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger credit_notes_frozen before update or delete on credit_notes
  for each row execute function refuse_change_of_issued_credit_note();

-- A credit note's lines are made with it and go with it: none changes, and an issued one gets and loses none.
create trigger credit_note_lines_unchanged before update on credit_note_lines
  for each row execute function refuse_change();

create function refuse_change_of_issued_credit_note_lines() returns trigger language plpgsql as $$
declare line credit_note_lines := case when tg_op = 'DELETE' then old else new end;
begin
  perform from credit_notes n
    where n.account_id = line.account_id and n.id = line.credit_note_id and n.status = 'issued';
  if found then
    raise exception 'credit note % is issued', line.credit_note_id using errcode = 'MB002';
  end if;
  return line;
end $$;
create trigger credit_note_lines_frozen before insert or delete on credit_note_lines
  for each row execute function refuse_change_of_issued_credit_note_lines();

create function require_credit_within_line() returns trigger language plpgsql as $$
declare booked bigint; credited numeric;
begin
  select amount into booked from invoice_lines
    where account_id = new.account_id and id = new.invoice_line_id for no key update;
  select sum(amount) into credited from credit_note_lines
    where account_id = new.account_id and invoice_line_id = new.invoice_line_id;
  if booked is null or credited > booked then
    raise exception 'line % of % is credited with %', new.invoice_line_id, booked, credited
      using errcode = 'MB005';
  end if;
  return null;
end $$;
create constraint trigger credit_note_lines_within_line after insert on credit_note_lines
  deferrable initially deferred for each row execute function require_credit_within_line();

