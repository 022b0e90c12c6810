-- Answers of POST requests that carry an Idempotency-Key, kept for a day so that a repetition gets the same one.

create table idempotency_keys (
  account_id uuid not null references accounts,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of path, query and body: with another request the key is a mistake.
  request_hash bytea not null,
  -- Whose turn it is. Who comes after a lease has run out takes another claim, and the earlier one can keep nothing more.
  claim uuid not null,
  lease_until timestamptz not null,
  -- What the command has committed, written in its transaction: a repetition goes on from here instead of doing it again.
  committed text,
  -- The answer; null while there is none.
  status integer,
  answer text,
  expires_at timestamptz not null,
  primary key (account_id, key),
  check ((status is null) = (answer is null))
);

-- Keeps what a command is about to commit. Fails where the claim is another's by now: what was done is then taken back.
create function keep_committed(account uuid, used_key text, own_claim uuid, result text) returns void
language plpgsql as $$
begin
  update idempotency_keys set committed = result
  where account_id = account and key = used_key and claim = own_claim and status is null;
  if not found then
    raise exception 'the claim of an idempotency key is another''s' using errcode = 'MB006';
  end if;
end
$$;
