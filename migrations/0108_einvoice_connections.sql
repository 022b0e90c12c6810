-- How an account sends its e-invoices: a folder, a folder of another machine, or an access point.

create table einvoice_connections (
  account_id uuid not null references accounts,
  id uuid not null,
  kind text not null check (kind in ('folder', 'sftp', 'phoss-ap')),
  -- The one that e-invoices are handed over through. Earlier ones stay, because deliveries name them, and lose their secrets.
  is_current boolean not null default true,
  -- What is not secret, as a JSON object of texts.
  settings text not null,
  -- AES-256-GCM under the named key, with the account and the connection as associated data: a JSON object of texts.
  key_id text not null,
  sealed_secrets bytea not null,
  state text not null default 'connected' check (state in ('connected', 'unauthorized', 'unavailable')),
  last_error text,
  checked_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id)
);
create unique index einvoice_connections_current on einvoice_connections (account_id) where is_current;
