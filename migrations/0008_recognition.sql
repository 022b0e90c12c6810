-- What was earned: what an issue froze, accruals with their bookings and rows, and period closes.

-- The rate at which an invoice in a foreign currency was booked, in millionths; accruals follow it.
alter table invoices add column rate_micro bigint check (rate_micro > 0);
alter table invoices disable trigger invoices_frozen;
update invoices i set rate_micro = rtrim(d.snapshot::json ->> 'rate_micro', 'n')::bigint
  from issued_documents d
  where d.account_id = i.account_id and d.document_id = i.id
    and d.snapshot::json ->> 'rate_micro' is not null;
alter table invoices enable trigger invoices_frozen;

-- What the work on a line had earned by month when its invoice was issued, and whose work it was. Nothing can be
-- measured after that; for `progress` the issue is the completion. Lines by other methods have no row.
create table line_earnings (
  account_id uuid not null,
  line_id uuid not null,
  content text not null,
  primary key (account_id, line_id),
  foreign key (account_id, line_id) references invoice_lines (account_id, id)
);
create trigger line_earnings_append_only before update or delete on line_earnings
  for each row execute function refuse_change();
create trigger line_earnings_no_truncate before truncate on line_earnings execute function refuse_change();

-- Documents that were issued before earnings were frozen: all of a line is earned in the month of its issue, so that
-- nothing of it is left to accrue.
insert into line_earnings (account_id, line_id, content)
  select l.account_id, l.id, '{"months":[{"month":"' || to_char(i.issue_date, 'YYYY-MM')
    || '","earned_to_date":"' || l.amount || 'n"}],"users":[]}'
  from invoice_lines l
  join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
  where i.status = 'issued' and l.recognition_method in ('hours', 'progress');

-- One accrual for a customer and month. It has a row from when its id was first shown; what a draft says is computed.
create table accruals (
  account_id uuid not null references accounts,
  id uuid not null,
  customer_id uuid not null,
  -- YYYY-MM
  month text not null check (month ~ '^\d{4}-\d\d$'),
  status text not null check (status in ('draft', 'booked')),
  -- How often it was booked, or began to be.
  revision integer not null default 0,
  original_month text check (original_month < month),
  ledger_voucher_guid uuid,
  ledger_voucher_number bigint,
  booked_at timestamptz,
  primary key (account_id, id),
  unique (account_id, customer_id, month),
  unique (account_id, ledger_voucher_guid),
  foreign key (account_id, customer_id) references customers (account_id, id),
  check ((status = 'booked') = (booked_at is not null)),
  check ((ledger_voucher_guid is null) = (ledger_voucher_number is null)),
  check (status = 'booked' or (ledger_voucher_guid is null and original_month is null))
);
-- The last booked month of a customer, through which all of its months are closed.
create index accruals_booked on accruals (account_id, customer_id, month) where status = 'booked';
create index accruals_month on accruals (account_id, month) where status = 'booked';

-- Each booking of an accrual, for ever: `pending` until an external ledger has answered.
create table accrual_bookings (
  account_id uuid not null,
  accrual_id uuid not null,
  revision integer not null check (revision >= 1),
  state text not null check (state in ('pending', 'booked', 'reversing', 'reversed')),
  -- Rows, entries, rates, convention and engine version, so that it can be recomputed.
  snapshot text not null,
  -- Null where nothing had to be booked.
  voucher_guid uuid,
  voucher_number bigint,
  booked_at timestamptz,
  booked_by text,
  reversal_guid uuid,
  reversal_number bigint,
  reopened_at timestamptz,
  reopened_by text,
  reason text,
  primary key (account_id, accrual_id, revision),
  unique (account_id, voucher_guid),
  unique (account_id, reversal_guid),
  foreign key (account_id, accrual_id) references accruals (account_id, id),
  check ((state = 'pending') = (booked_at is null)),
  check ((state = 'reversed') = (reopened_at is not null))
);
-- One booking of an accrual stands at a time.
create unique index accrual_bookings_standing on accrual_bookings (account_id, accrual_id) where state <> 'reversed';

create function refuse_change_of_booked_accrual() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.state = 'pending' then return old; end if;
  if tg_op = 'UPDATE' and old.state <> 'reversed' and
      (old.state = 'pending' or new.state <> 'pending') and
      (new.account_id, new.accrual_id, new.revision, new.snapshot, new.voucher_guid) is not distinct from
      (old.account_id, old.accrual_id, old.revision, old.snapshot, old.voucher_guid) and
      (old.state = 'pending' or (new.voucher_number, new.booked_at, new.booked_by) is not distinct from
        (old.voucher_number, old.booked_at, old.booked_by)) then
    return new;
  end if;
  raise exception 'the booking % of accrual % stands', old.revision, old.accrual_id using errcode = 'MB001';
end $$;
create trigger accrual_bookings_frozen before update or delete on accrual_bookings
  for each row execute function refuse_change_of_booked_accrual();
create trigger accrual_bookings_no_truncate before truncate on accrual_bookings execute function refuse_change();

-- What was booked of a line and month, under an account and in a currency. A reopening adds the same with every sign
-- turned: what stands is always the sum.
create table accrual_rows (
  account_id uuid not null,
  customer_id uuid not null,
  line_id uuid not null,
  month text not null,
  account_number integer not null,
  currency text not null,
  accrual_id uuid not null,
  revision integer not null,
  is_reversal boolean not null,
  invoice_id uuid,
  series_id uuid,
  period text,
  product_id uuid not null,
  -- In the line's currency.
  earned money_minor not null,
  invoiced money_minor not null,
  -- In functional currency.
  earned_functional money_minor not null,
  invoiced_functional money_minor not null,
  exchange_difference money_minor not null,
  -- [[user or null, minor units in the line's currency]]: whose the earned amount is.
  users text not null,
  primary key (account_id, customer_id, line_id, month, account_number, currency, accrual_id, revision, is_reversal),
  foreign key (account_id, accrual_id, revision) references accrual_bookings (account_id, accrual_id, revision)
);
create index accrual_rows_accrual on accrual_rows (account_id, accrual_id, revision);
create trigger accrual_rows_append_only before update or delete on accrual_rows
  for each row execute function refuse_change();
create trigger accrual_rows_no_truncate before truncate on accrual_rows execute function refuse_change();

-- The closing rates that standing bookings used: a month that is booked keeps its rate.
create table accrual_rates (
  account_id uuid not null,
  customer_id uuid not null,
  currency text not null,
  month text not null,
  rate_micro bigint not null check (rate_micro > 0),
  accrual_id uuid not null,
  revision integer not null,
  primary key (account_id, customer_id, currency, month),
  foreign key (account_id, accrual_id, revision) references accrual_bookings (account_id, accrual_id, revision)
);
create index accrual_rates_accrual on accrual_rates (account_id, accrual_id, revision);

create table period_closes (
  account_id uuid not null references accounts,
  month text not null check (month ~ '^\d{4}-\d\d$'),
  status text not null check (status in ('running', 'completed', 'partial', 'reopened')),
  -- Whether the lock date moves when it is completed.
  locks boolean not null,
  -- What the lock date was before; a reopening puts it back.
  lock_date_before date,
  has_locked boolean not null default false,
  -- Customers up to this one are done in the present run, in order of name and id.
  done_name text,
  done_id uuid,
  -- [{customer_id, code, message}], [{code, count, message}]
  errors text not null default '[]',
  warnings text not null default '[]',
  -- Customers without anything to book, as counted when the run ended.
  skipped integer,
  closed_at timestamptz,
  closed_by text,
  -- Who asked for the present run, and until when it belongs to one process.
  actor_kind text not null,
  actor_id text not null,
  lease_until timestamptz,
  primary key (account_id, month)
);
create index period_closes_running on period_closes (lease_until) where status = 'running';

alter table intents drop constraint intents_kind_check;
alter table intents add check (kind in ('invoice', 'credit_note', 'voucher'));

-- The order in which a close goes through the customers.
create index customers_name on customers (account_id, name, id);
