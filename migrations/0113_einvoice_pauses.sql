-- How often in a row a submission has found a connection unusable although its check had gone well: each time it is checked later.
alter table einvoice_connections add column pauses integer not null default 0;
