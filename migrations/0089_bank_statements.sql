-- Files of banks, the statements in them, and their lines. A line is stored once, whatever files it comes in.

create table bank_imports (
  account_id uuid not null references accounts,
  id uuid not null,
  bank_account_id uuid not null,
  sha256 bytea not null,
  content bytea not null,
  -- The first answer, which the same bytes get again.
  answer text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, sha256, bank_account_id),
  foreign key (account_id, bank_account_id) references bank_accounts (account_id, id)
);

create table bank_statements (
  account_id uuid not null,
  id uuid not null,
  import_id uuid not null,
  bank_account_id uuid not null,
  format text not null check (format in ('camt.053.001.02', 'camt.053.001.08', 'csv')),
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  opening_balance bigint,
  closing_balance bigint,
  lines integer not null,
  new_lines integer not null,
  known_lines integer not null,
  warnings json not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, import_id) references bank_imports (account_id, id),
  foreign key (account_id, bank_account_id) references bank_accounts (account_id, id),
  check (lines = new_lines + known_lines)
);
create index bank_statements_days on bank_statements (account_id, bank_account_id, first_day, last_day);

create table bank_lines (
  account_id uuid not null,
  id uuid not null,
  bank_account_id uuid not null,
  bank_statement_id uuid not null,
  date date not null,
  value_date date,
  -- Above 0 is money in.
  amount bigint not null check (amount <> 0),
  currency text not null,
  instructed_amount bigint,
  instructed_currency text,
  text text not null,
  reference text,
  end_to_end_id text,
  counterparty_name text,
  counterparty_account text,
  -- Whether the bank calls it the reversal of an earlier line.
  is_reversal boolean not null,
  -- Of the day, the amount, the bank's reference or else text and counterparty, and the place among equal lines of the day.
  identity bytea not null,
  state text not null default 'open' check (state in ('open', 'booked', 'ignored')),
  payment_id uuid,
  ignored_reason text,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, bank_account_id, identity),
  foreign key (account_id, bank_account_id) references bank_accounts (account_id, id),
  foreign key (account_id, bank_statement_id) references bank_statements (account_id, id),
  check ((state = 'booked') = (payment_id is not null)),
  check ((state = 'ignored') = (ignored_reason is not null)),
  check ((instructed_amount is null) = (instructed_currency is null))
);
create index bank_lines_open on bank_lines (account_id, id) where state = 'open';
create index bank_lines_days on bank_lines (account_id, bank_account_id, date);
create index bank_lines_updated on bank_lines (account_id, updated_at, id);

-- What a bank sent never changes. A line changes only in its state.
create trigger bank_imports_append_only before update or delete on bank_imports
  for each row execute function refuse_change();
create trigger bank_statements_append_only before update or delete on bank_statements
  for each row execute function refuse_change();
