-- The feed of events of each account. A restored copy gives the numbers after its backup again, so it begins a new feed.
alter table audit_heads add column feed_id uuid not null default gen_random_uuid();

-- Feeds that have ended, with the last event that the next feed shares with them.
create table ended_feeds (
  account_id uuid not null references accounts,
  feed_id uuid not null,
  shared_through bigint not null,
  ended_at timestamptz not null,
  primary key (account_id, feed_id)
);
