-- Documents that a connected ledger prints and sends itself: which of its sendings a delivery is, and when it is asked
-- next what became of it.
alter table deliveries add ledger_send_id text;
alter table deliveries add looks integer not null default 0;
alter table deliveries add next_look_at timestamptz;
create index deliveries_looks on deliveries (account_id, next_look_at) where next_look_at is not null;
