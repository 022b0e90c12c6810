-- Until when somebody is known to wait for the next turn, before which nobody else takes it.
alter table ledger_connections add column turn_wanted_until timestamptz;
