-- The balances of a customer as they were when they were last added up: only customers with too many lines to add them up
-- while a person waits have a row.
create table customer_balances (
  account_id uuid not null,
  customer_id uuid not null,
  -- When the page was last read.
  wanted_at timestamptz not null,
  computed_at timestamptz,
  -- {asset, liability}, minor units as text; null until they were added up once.
  content text,
  primary key (account_id, customer_id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  check ((computed_at is null) = (content is null))
);
