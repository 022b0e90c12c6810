-- When a ledger refused the credentials of a connection; null unless it is refused. Checks follow it soon, then as usual.
alter table ledger_connections add refused_since timestamptz;
update ledger_connections set refused_since = updated_at where state in ('unauthorized', 'subscription');
