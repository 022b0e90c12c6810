-- What a person's assistant has planned: it changes nothing until it is committed.

create table plans (
  account_id uuid not null references accounts,
  -- `plan_` and 128 random bits.
  id text not null,
  user_id uuid not null,
  -- The grant through which the assistant acts. Without a foreign key: a plan may outlive its grant, and is then
  -- nobody's.
  grant_id text not null,
  tool text not null,
  role text not null check (role in ('admin', 'standard')),
  -- What is carried out, with its references resolved.
  input text not null,
  -- Digest of what would be done, and of every fact that it follows from.
  fingerprint bytea not null,
  -- The plan as the audit trail shows it.
  shown text not null,
  -- `begun`: an external ledger has been asked and its answer is not known.
  state text not null check (state in ('open', 'begun', 'committed', 'ended')),
  -- Code of the refusal that ended it.
  ended_by text,
  -- What it made or changed.
  result text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  check ((state = 'ended') = (ended_by is not null)),
  -- A lost answer is recovered by the result.
  check (state not in ('begun', 'committed') or result is not null)
);
create index plans_expired on plans (account_id, expires_at);
