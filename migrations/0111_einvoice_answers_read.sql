-- When the answers of buyers in the folder of a connection were last looked for.
alter table einvoice_connections add column answers_read_at timestamptz;
