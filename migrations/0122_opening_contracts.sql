-- Opening contracts: what was invoiced elsewhere and is not yet earned. Each is a contract of one line by `value`.
create table opening_contracts (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text not null,
  customer_id uuid not null,
  product_id uuid not null,
  line_id uuid not null,
  currency text not null,
  -- Both net of VAT, as they were in the old books on the cutover; the amount is what is left to earn.
  invoiced money_minor not null,
  earned money_minor not null check (earned >= 0),
  amount money_minor not null check (amount > 0),
  -- At the rate of the contract, which never changes; null in functional currency.
  rate_micro bigint check (rate_micro > 0),
  amount_functional money_minor not null,
  service_from date,
  service_to date not null,
  -- The last day of the old books, and the date of the entry.
  cutover date not null,
  -- Null where the books of the day have the liability already: nothing was posted.
  counter_account integer,
  -- [{user_id, distribution_percentage (1/100 %), hourly_rate_override}], in the order sent.
  assignees json not null,
  product_name text not null,
  product_number text,
  account_number integer not null,
  unit text not null,
  vat_code text,
  entry_no bigint,
  ended_on date,
  -- What was given back when the contract ended, and the guid of its entry.
  returned money_minor check (returned >= 0),
  returned_functional money_minor,
  end_guid uuid,
  created_at timestamptz not null,
  request_hash bytea not null,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  unique (account_id, line_id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, product_id) references products (account_id, id),
  check (amount = invoiced - earned),
  check (service_to > cutover),
  check (service_from <= service_to),
  check ((ended_on is null) = (returned is null)),
  check ((ended_on is null) = (returned_functional is null)),
  check (ended_on >= cutover)
);
create index opening_contracts_updated on opening_contracts (account_id, updated_at, id);
create index opening_contracts_customer on opening_contracts (account_id, customer_id, id);

-- The contract of a booked row, beside the invoice and the series.
alter table accrual_rows add column opening_contract_id uuid;
