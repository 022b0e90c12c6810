-- Accounts, their settings and people, API keys, the audit trail.
-- Every table of an account has account_id first in its keys: a reference into another account cannot be written.

create domain money_minor as bigint;

create table accounts (
  id uuid primary key,
  name text not null,
  -- A sandbox account never reaches a live mail server or ledger.
  sandbox boolean not null default false,
  ledger_kind text not null default 'builtin',
  created_at timestamptz not null default clock_timestamp()
);

-- A write takes the account's barrier shared before it stamps, a poll with updated_since takes it exclusively for a
-- moment. What a poll reads is therefore complete up to its horizon, although stamps are not in commit order.
create function stamp(account uuid) returns timestamptz language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(account::text, 1));
  return clock_timestamp();
end $$;

create function poll_horizon(account uuid) returns timestamptz language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(account::text, 1));
  return clock_timestamp();
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'MB001';
end $$;

create table configurations (
  account_id uuid primary key references accounts,
  functional_currency text not null,
  time_zone text not null,
  recognition_convention text not null check (recognition_convention in ('monthly', 'daily')),
  -- Nothing is posted on or before this day: the ledger's trigger reads it (decisions.md 34).
  period_lock_date date,
  work_lock_date date,
  contract_asset_account integer,
  contract_liability_account integer,
  exchange_difference_account integer,
  default_revenue_account integer,
  payment_type text not null check (payment_type in ('Netto', 'NettoCash', 'CurrentMonthOut')),
  payment_days integer not null check (payment_days >= 0),
  default_auto_send boolean not null,
  vat_domestic_rate integer not null check (vat_domestic_rate between 0 and 10000),
  vat_domestic_country text not null,
  seller json,
  invoice_language_key text not null,
  updated_at timestamptz not null
);

create table exchange_rates (
  account_id uuid not null references accounts,
  currency text not null,
  date date not null,
  -- Functional units for one unit of the currency, in millionths.
  rate_micro bigint not null check (rate_micro > 0),
  updated_at timestamptz not null,
  primary key (account_id, currency, date)
);

-- One login for one address: a person may be a user of several accounts (decisions.md 30).
create table logins (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index logins_email on logins (lower(email));

create table users (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  name text not null,
  email text not null,
  role text not null check (role in ('admin', 'standard')),
  active boolean not null default true,
  login_id uuid references logins,
  -- Digest of the creating request: the same external_id with the same content is a repeat, not a conflict.
  request_hash bytea,
  -- The resource as the API shows it, written with the row.
  document text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id)
);
create unique index users_email on users (account_id, lower(email));
create index users_updated on users (account_id, updated_at, id);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  scope text not null check (scope in ('read', 'read_write')),
  -- SHA-256 of the key; the key itself is shown once and stored nowhere.
  hash bytea not null unique,
  prefix text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account on api_keys (account_id, id);

create table audit_heads (
  account_id uuid primary key references accounts,
  seq bigint not null default 0,
  hash bytea not null default '\x'
);

create table audit_events (
  account_id uuid not null references accounts,
  -- Without gaps; hash = sha256(hash of the event before || payload).
  seq bigint not null,
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('api_key', 'user', 'scheduler', 'operator')),
  actor_id text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  -- The event as the API shows it, character for character what the hash covers.
  payload text not null,
  hash bytea not null,
  primary key (account_id, seq),
  unique (account_id, id)
);
create index audit_events_resource on audit_events (account_id, resource_type, resource_id, seq);
create index audit_events_actor on audit_events (account_id, actor_id, seq);
create index audit_events_at on audit_events (account_id, at, seq);
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_change();
create trigger audit_events_no_truncate before truncate on audit_events execute function refuse_change();
