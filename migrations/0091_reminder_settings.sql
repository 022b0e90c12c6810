-- What reminders need: their configuration, the reference rates of interest, whether a customer gets any, and holds of invoices.
-- Null is the usual configuration of reminders.
alter table configurations add column reminders json;

-- The National Bank's lending rate of a half-year, in hundredths of a percent a year.
create table reference_rates (
  account_id uuid not null references accounts,
  -- The first day of the half-year.
  date date not null check (extract(day from date) = 1 and extract(month from date) in (1, 7)),
  rate integer not null,
  updated_at timestamptz not null,
  primary key (account_id, date)
);

alter table customers add column reminders boolean not null default true;

-- No reminder counts an invoice on these days: issued invoices themselves never change.
create table reminder_holds (
  account_id uuid not null,
  invoice_id uuid not null,
  until_date date not null,
  reason text not null,
  updated_at timestamptz not null,
  primary key (account_id, invoice_id),
  foreign key (account_id, invoice_id) references invoices (account_id, id)
);
