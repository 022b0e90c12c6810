-- The bank accounts of a firm. Every account has one, which is the default.

create table bank_accounts (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  name text not null,
  currency text not null,
  ledger_account integer not null,
  iban text,
  registration_number text,
  account_number text,
  is_default boolean not null,
  active boolean not null default true,
  csv_profile json,
  statements_through date,
  request_hash bytea,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  -- The default is active.
  check (active or not is_default)
);
create unique index bank_accounts_default on bank_accounts (account_id) where is_default;
create index bank_accounts_updated on bank_accounts (account_id, updated_at, id);

-- The bank of accounts that exist: 6480, or the first number after it that is no account of another kind and has no role.
create temporary table first_banks on commit drop as
select c.account_id, c.functional_currency as currency,
  (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid as id,
  (select min(n) from generate_series(6480, 6999) n
   where n is distinct from c.contract_asset_account and n is distinct from c.contract_liability_account
     and n is distinct from c.exchange_difference_account and n is distinct from c.default_revenue_account
     and not exists (select from ledger_accounts a
       where a.account_id = c.account_id and a.number = n and a.type <> 'asset')) as ledger_account
from configurations c;

insert into ledger_accounts (account_id, number, name, type, vat_code)
select f.account_id, f.ledger_account, 'Bankkonto', 'asset', null
from first_banks f join ledger_books b on b.account_id = f.account_id
on conflict (account_id, number) do nothing;

insert into bank_accounts (account_id, id, name, currency, ledger_account, is_default, document, updated_at)
select account_id, id, 'Bank', currency, ledger_account, true,
  '{"object":"bank_account","id":"' || id || '","external_id":null,"name":"Bank","currency":"' || currency
    || '","ledger_account":' || ledger_account || ',"iban":null,"registration_number":null,"account_number":null,'
    || '"is_default":true,"active":true,"csv_profile":null,"statements_through":null}',
  clock_timestamp()
from first_banks;
