-- The formats that a connection carries: an invoice that would leave in another one is refused before it is booked.
alter table einvoice_connections add column formats text[] not null default '{peppol-bis-3,oioubl-2.1}';
update einvoice_connections set formats = '{peppol-bis-3}'
where kind = 'phoss-ap' or coalesce(settings::json ->> 'envelope' = 'sbd', false);
