-- Recurring series, the state of their occurrences, and the clock of sandbox accounts.

alter table accounts add column test_clock timestamptz;
-- The latest time that the clock was ever set to: it never goes back behind it.
alter table accounts add column test_clock_floor timestamptz;
alter table accounts add check (sandbox or test_clock is null);

create table recurring_series (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  customer_id uuid not null,
  currency text not null,
  frequency text not null
    check (frequency in ('weekly', 'monthly', 'quarterly', 'half_yearly', 'yearly')),
  alignment text not null check (alignment in ('anniversary', 'calendar')),
  start_date date not null,
  end_date date,
  timing_mode text not null check (timing_mode in ('start-of-period', 'end-of-period', 'manual')),
  offset_days integer not null,
  auto_send boolean,
  status text not null check (status in ('draft', 'active')),
  -- The scheduler never issues by itself what fell due before this day.
  activated_on date,
  cancelled_at timestamptz,
  -- The end date before the first cancellation: periods between the two were dropped.
  end_before_cancel date,
  is_discarded boolean not null default false,
  -- When the scheduler has something to do: recomputed from the periods and what exists at every change.
  next_due_on date,
  next_retry_at timestamptz,
  request_hash bytea,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  check (end_date is null or end_date >= start_date or cancelled_at is not null),
  check ((status = 'active') = (activated_on is not null))
);
create index recurring_series_customer on recurring_series (account_id, customer_id, id);
create index recurring_series_updated on recurring_series (account_id, updated_at, id);
create index recurring_series_due on recurring_series (account_id, next_due_on, id)
  where next_due_on is not null;
create index recurring_series_retry on recurring_series (account_id, next_retry_at)
  where next_retry_at is not null;

create table series_lines (
  account_id uuid not null,
  line_id uuid not null,
  series_id uuid not null,
  primary key (account_id, line_id),
  foreign key (account_id, series_id) references recurring_series (account_id, id)
);
create index series_lines_series on series_lines (account_id, series_id);

-- In force from a period on, until the next version.
create table series_line_versions (
  account_id uuid not null,
  line_id uuid not null,
  from_index integer not null check (from_index >= 0),
  -- Null: the line is removed. Amounts are exact, as text.
  content text,
  primary key (account_id, line_id, from_index),
  foreign key (account_id, line_id) references series_lines (account_id, line_id)
);

-- Instead of the version in force, for one period.
create table series_line_overrides (
  account_id uuid not null,
  line_id uuid not null,
  period_index integer not null check (period_index >= 0),
  content text,
  primary key (account_id, line_id, period_index),
  foreign key (account_id, line_id) references series_lines (account_id, line_id)
);

-- Periods follow from the series; a row is kept where something happened that does not: a skip, a failure.
-- That a period is issued is known from its invoice.
create table occurrences (
  account_id uuid not null,
  series_id uuid not null,
  period_index integer not null check (period_index >= 0),
  state text not null check (state in ('failed', 'skipped')),
  reason text,
  failure_code text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, series_id, period_index),
  foreign key (account_id, series_id) references recurring_series (account_id, id)
);

alter table invoices add column series_id uuid;
alter table invoices add column period_index integer;
alter table invoices add column period text;
alter table invoices add column period_from date;
alter table invoices add column period_to date;
alter table invoices add column is_final_partial boolean;
alter table invoices add foreign key (account_id, series_id) references recurring_series (account_id, id);
alter table invoices add check ((series_id is null) = (period_index is null));
alter table invoices add check ((series_id is null) = (period is null));
alter table invoices add check ((series_id is null) = (period_from is null));
alter table invoices add check ((series_id is null) = (period_to is null));
alter table invoices add check ((series_id is null) = (is_final_partial is null));
-- One period, one invoice, whoever issues it.
create unique index invoices_period on invoices (account_id, series_id, period_index);
-- The list of one-time invoices.
create index invoices_one_time on invoices (account_id, id) where series_id is null;

-- The part of its period that a line of a partial occurrence bills.
alter table invoice_lines add column share_days integer;
alter table invoice_lines add column share_of integer;
alter table invoice_lines add check ((share_days is null) = (share_of is null));
alter table invoice_lines add check (share_days between 1 and share_of);
