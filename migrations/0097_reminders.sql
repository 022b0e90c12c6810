-- Reminders that were sent, and what each of them charged for which item (spec 13.7).
create table reminders (
  account_id uuid not null references accounts,
  id uuid not null,
  -- Null for one that charges nothing: it is not booked and not an open item.
  number bigint,
  customer_id uuid not null,
  date date not null,
  due_date date not null,
  currency text not null,
  level integer not null check (level > 0),
  -- In minor units of the currency.
  fee money_minor not null check (fee >= 0),
  interest money_minor not null check (interest >= 0),
  compensation money_minor not null check (compensation >= 0),
  total money_minor not null,
  entry_no bigint,
  -- The content that was agreed to: a repetition finds the reminder by it.
  agreed bytea not null,
  -- From this day it counts for nothing.
  cancelled_on date check (cancelled_on >= date),
  cancel_reason text,
  created_at timestamptz not null,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, id) references issued_documents (account_id, document_id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  check ((number is null) = (fee + interest + compensation = 0)),
  check ((number is null) = (entry_no is null)),
  check ((cancelled_on is null) = (cancel_reason is null))
);
create index reminders_of_customer on reminders (account_id, customer_id, id);
create index reminders_updated on reminders (account_id, updated_at, id);

-- The items of a reminder. Each is an invoice or an opening item, of the books or of a connected ledger.
create table reminder_items (
  account_id uuid not null,
  reminder_id uuid not null,
  item_id uuid not null,
  -- Whether the reminder is the item's next one.
  counts boolean not null,
  interest money_minor not null check (interest >= 0),
  compensation money_minor not null check (compensation >= 0),
  -- The last day whose interest is charged.
  charged_through date check ((charged_through is null) = (interest = 0)),
  primary key (account_id, reminder_id, item_id),
  foreign key (account_id, reminder_id) references reminders (account_id, id)
);
create index reminder_items_of_item on reminder_items (account_id, item_id);
