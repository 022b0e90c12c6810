-- Moves of an account's books to another ledger (spec 9.11): which ledger had the books from which day, and the voucher that
-- opened the contract balances in the new ones. A move that is `moving` waits for that voucher in a ledger outside.

create table ledger_moves (
  account_id uuid not null references accounts,
  id uuid not null,
  state text not null check (state in ('moving', 'completed', 'refused')),
  from_kind text not null,
  -- Null for the built-in ledger.
  from_connection_id uuid,
  to_kind text not null,
  to_connection_id uuid,
  -- The day after the last completed close.
  begins_on date not null,
  -- The account of the new books against which the balances are opened; null where nothing is opened.
  opening_account text,
  -- The balances of the accruals when the books moved, which the former books have from then on: minor units.
  contract_asset bigint not null check (contract_asset >= 0),
  contract_liability bigint not null check (contract_liability >= 0),
  -- Null where the new books had these balances.
  voucher_guid uuid,
  voucher_number bigint,
  -- The year of the number, where numbers restart each year.
  voucher_year integer,
  -- Why the new ledger refused the voucher: the account books in the former one again.
  reason text,
  requested_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, from_connection_id) references ledger_connections (account_id, id),
  foreign key (account_id, to_connection_id) references ledger_connections (account_id, id),
  check ((state = 'moving') = (ended_at is null)),
  check (voucher_number is null or voucher_guid is not null)
);
create unique index ledger_moves_one on ledger_moves (account_id) where state = 'moving';
create index ledger_moves_voucher on ledger_moves (account_id, voucher_guid) where voucher_guid is not null;
