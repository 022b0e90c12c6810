-- Payments and refunds: money that moved between a customer and a bank account of the firm (spec 13.4).
create table payments (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  kind text not null check (kind in ('payment', 'refund')),
  number bigint not null,
  date date not null,
  customer_id uuid not null,
  currency text not null,
  amount money_minor not null check (amount > 0),
  bank_account_id uuid not null,
  -- What the bank credited or debited, and what it kept, in functional currency.
  bank_amount money_minor not null check (bank_amount > 0),
  fee money_minor not null check (fee >= 0),
  reference text,
  bank_line_id uuid,
  entry_nos integer[] not null,
  reversed_on date check (reversed_on >= date),
  reversal_reason text,
  request_hash bytea,
  document text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  unique (account_id, number),
  foreign key (account_id, id) references open_items (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, bank_account_id) references bank_accounts (account_id, id),
  check ((reversed_on is null) = (reversal_reason is null))
);
create index payments_of_customer on payments (account_id, customer_id, id);
create index payments_by_date on payments (account_id, date, id);
create index payments_updated on payments (account_id, updated_at, id);
-- A line of a bank statement is one payment at most.
create unique index payments_of_line on payments (account_id, bank_line_id) where bank_line_id is not null and reversed_on is null;
