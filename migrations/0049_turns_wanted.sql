-- Until when somebody is known to wait for the next turn: work that nobody waits for takes none before.
alter table ledger_connections add column turn_wanted_until timestamptz;

-- Whether bookings of an account have ended just now.
create index intents_settled on intents (account_id, settled_at) where settled_at is not null;
