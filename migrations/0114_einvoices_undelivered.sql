-- Whether the other side reports what becomes of an e-invoice. One that it has not confirmed for days needs a person.
alter table einvoice_connections add column reports boolean not null default false;
update einvoice_connections set reports = kind = 'phoss-ap' or coalesce(settings::json ->> 'envelope' = 'sbd', false);
create index deliveries_einvoices_accepted on deliveries (account_id, einvoice_connection_id, id)
  where channel = 'einvoice' and state = 'accepted';
