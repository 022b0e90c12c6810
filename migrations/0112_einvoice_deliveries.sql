-- E-invoices that Matchbook hands over itself: which file went through which connection, and when it is asked about next.
alter table deliveries add column einvoice_file_id uuid;
alter table deliveries add column einvoice_connection_id uuid;
-- The references of the buyer that this sending corrects, JSON; null without.
alter table deliveries add column corrections text;
alter table deliveries add column einvoice_look_at timestamptz;
-- The end of the call whose outcome is in doubt, and the first look after it that counts and found nothing.
alter table deliveries add column call_ended_at timestamptz;
alter table deliveries add column absent_at timestamptz;
-- Queued or in doubt when the database was restored from a backup: the original may have handed it over meanwhile.
alter table deliveries add column is_copied boolean not null default false;
alter table deliveries add foreign key (account_id, einvoice_file_id) references einvoice_files (account_id, id);
alter table deliveries add foreign key (account_id, einvoice_connection_id) references einvoice_connections (account_id, id);
create index deliveries_einvoice_looks on deliveries (account_id, einvoice_look_at) where einvoice_look_at is not null;
-- Those that wait until a check of the connection has gone well.
create index deliveries_einvoices_waiting on deliveries (account_id, id)
  where channel = 'einvoice' and state = 'queued' and next_attempt_at is null;
-- The circuit breaker: calls in a row without an answer, and when a connection that does not answer is checked next.
alter table einvoice_connections add column failures integer not null default 0;
alter table einvoice_connections add column next_probe_at timestamptz;
