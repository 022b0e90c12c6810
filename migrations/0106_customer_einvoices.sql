-- Where e-invoices to a customer go, in which format, and the account that the customer wants to see on its documents.
alter table customers
  -- `scheme:value` by the EAS list; null is the address that follows from the customer's numbers.
  add column einvoice_address text check (length(einvoice_address) <= 130),
  -- Null is Peppol BIS 3.
  add column einvoice_format text check (einvoice_format in ('peppol-bis-3', 'oioubl-2.1')),
  add column einvoice_by_mail boolean not null default false,
  add column accounting_cost text;
