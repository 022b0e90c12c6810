-- Where the events of an account are sent. Secrets and the values of headers are sealed: AES-256-GCM, bound to the
-- account and the endpoint.
create table webhook_endpoints (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  url text not null,
  description text,
  event_types text[] not null check (cardinality(event_types) > 0),
  format text not null check (format in ('standard', 'text')),
  payload text not null check (payload in ('full', 'thin')),
  ordering text not null check (ordering in ('resource', 'account')),
  header_names text[] not null,
  -- A JSON object of the values by name; null without headers.
  headers_sealed bytea,
  max_per_second integer not null check (max_per_second between 1 and 100),
  secret_sealed bytea not null,
  -- Signs too until `secret_expires_at`.
  previous_secret_sealed bytea,
  secret_expires_at timestamptz,
  status text not null default 'enabled' check (status in ('enabled', 'paused', 'failing', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'operator')),
  failing_since timestamptz,
  failures_in_row integer not null default 0,
  probe_at timestamptz,
  probe_wait_s integer,
  -- Begin of the ramp after a failure.
  recovered_at timestamptz,
  mailed_at timestamptz,
  -- Events up to it have a delivery, or do not fit.
  read_through bigint not null,
  -- The last event that fitted, for `previous_sequence` of the next.
  last_fitting bigint,
  last_success_at timestamptz,
  request_hash bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  check ((status = 'disabled') = (disabled_reason is not null))
);

create table webhook_deliveries (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  -- `test_…` for a test, which is no event.
  event_id text not null,
  -- Null for a test.
  sequence bigint,
  event_type text not null,
  -- The resource whose events are kept in order.
  root text not null,
  status text not null check (status in ('pending', 'delivered', 'dead', 'skipped')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  -- Fixed at the first attempt, so that all attempts send the same bytes.
  body text,
  previous_sequence bigint,
  is_test boolean not null default false,
  -- The headers of the last attempt, without the values of the endpoint's own ones.
  request_headers json,
  -- Each attempt with its answer, a list with the newest last.
  attempts json not null,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints on delete cascade,
  check (is_test = (sequence is null))
);
create unique index webhook_deliveries_event on webhook_deliveries (account_id, endpoint_id, sequence) where not is_test;
create index webhook_deliveries_pending on webhook_deliveries (account_id, endpoint_id, sequence) where status = 'pending';
create index webhook_deliveries_of_endpoint on webhook_deliveries (account_id, endpoint_id, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);
