-- The last requests of an API key, for the page of developers: at most 1,000 of each key, for seven days, without bodies. They are
-- written in batches after the answers, so a crash loses the last second.
create table api_key_requests (
  account_id uuid not null references accounts,
  key_id uuid not null,
  -- A UUIDv7: the order of the requests.
  id uuid not null,
  at timestamptz not null,
  method text not null,
  -- Without secrets, and without most values of the query.
  path text not null,
  status integer not null,
  milliseconds integer not null,
  -- The code of the refusal; null for a request that was answered.
  refusal text,
  request_id text not null,
  primary key (account_id, key_id, id)
);

-- A passkey counts from its first answer on, the moment of which is its first `last_used_at`. Those from before count already.
update passkeys set last_used_at = created_at where last_used_at is null;
