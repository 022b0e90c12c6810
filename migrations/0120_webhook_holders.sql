-- The process that sends to an endpoint, until its lease has run out or it has ended.
alter table webhook_endpoints add column holder text;
alter table webhook_endpoints add column lease_until timestamptz;
-- Grows with whatever makes deliveries wait again, so that the holder reads them.
alter table webhook_endpoints add column work_version bigint not null default 0;
-- A process holds whole endpoints.
alter table webhook_deliveries drop column lease_until;
