-- Accounting systems outside of our database: how each account is connected, what our accounts are called there, and
-- which customers and products are known there.

create table ledger_connections (
  account_id uuid not null references accounts,
  id uuid not null,
  kind text not null,
  -- The one that documents are booked through. Earlier ones stay, because documents name them.
  is_current boolean not null default true,
  -- What is not secret, as a JSON object of texts.
  settings text not null,
  -- AES-256-GCM under the named key, with the account and the connection as associated data: a JSON object of texts.
  key_id text not null,
  sealed_secrets bytea not null,
  -- Tokens of OAuth, sealed in the same way; null while there are none.
  sealed_tokens bytea,
  organisation_id text,
  organisation_name text,
  state text not null default 'connected'
    check (state in ('connected', 'unauthorized', 'unavailable', 'subscription')),
  last_error text,
  checked_at timestamptz,
  -- What the last successful check told, as JSON: capabilities, accounts, VAT codes.
  told text,
  -- Nothing may be booked there on or before this day.
  locked_through date,
  -- The circuit: calls without an answer in a row, since when it is open, when the next probe may go.
  failures integer not null default 0,
  down_since timestamptz,
  next_probe_at timestamptz,
  -- Who books now, where the ledger takes one booking at a time.
  turn_of uuid,
  turn_until timestamptz,
  -- Where the next look at remote changes goes on, and when.
  pulled_until text,
  next_pull_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id)
);
create unique index ledger_connections_current on ledger_connections (account_id) where is_current;

-- (line account, VAT code) -> the ledger's account and VAT code; with '' for roles, which have no VAT code.
create table ledger_mappings (
  account_id uuid not null,
  connection_id uuid not null,
  account_number integer not null check (account_number > 0),
  vat_code text not null check (vat_code in
    ('', 'DK25', 'DK0', 'DK_RC', 'EU_SERVICES_RC', 'EU_GOODS_RC', 'EXPORT_SERVICES', 'EXPORT_GOODS')),
  ledger_account text not null,
  ledger_vat_code text,
  primary key (account_id, connection_id, account_number, vat_code),
  foreign key (account_id, connection_id) references ledger_connections (account_id, id)
);

-- The limit of an organisation, shared by all processes and by all connections to it: when the next call may go, and
-- until when somebody waits for an answer, before whom no bulk call goes.
create table ledger_budgets (
  organisation_key text primary key,
  next_at timestamptz not null,
  interactive_until timestamptz not null default '-infinity'
);

-- What is known of our customers and products there.
create table ledger_links (
  account_id uuid not null,
  connection_id uuid not null,
  kind text not null check (kind in ('customer', 'product')),
  local_id uuid not null,
  -- Its name there; null before the first answer.
  ledger_id text,
  state text not null check (state in ('queued', 'synced', 'failed')),
  -- Goes up with each change that is to be sent: an answer to an earlier one settles nothing.
  version bigint not null default 1,
  -- SHA-256 of what the ledger was last seen to have, by which changes of its own are told from ours.
  known_hash bytea,
  reason text,
  attempts integer not null default 0,
  lease_until timestamptz,
  next_attempt_at timestamptz,
  synced_at timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, connection_id, kind, local_id),
  foreign key (account_id, connection_id) references ledger_connections (account_id, id)
);
create index ledger_links_due on ledger_links (account_id, next_attempt_at) where state = 'queued';
create index ledger_links_failed on ledger_links (account_id, updated_at) where state = 'failed';
create index ledger_links_there on ledger_links (account_id, connection_id, kind, ledger_id);
