-- What the hashes of the chains cover, and what the last check of an account's books has found.

-- 1: the payload alone. 2: also the grant of the assistant, which 0014 has put beside it. What is hashed by 1 stays so.
alter table audit_events add column hash_version integer not null default 1 check (hash_version in (1, 2));

-- 1: without, 2: with the entry that this one reverses.
alter table ledger_entries add column hash_version integer not null default 1 check (hash_version in (1, 2));

-- The last check of an account, as the API shows it.
create table verifications (
  account_id uuid primary key references accounts,
  checked_at timestamptz not null,
  ok boolean not null,
  document text not null
);
