-- Sorted searches of the lists on pages read an index instead of the table, and amounts are sorted within each currency.

-- The columns of the index before it, and those that an order or a filter of a page needs besides: year and currency.
drop index invoices_listed;
create index invoices_listed on invoices (account_id, id)
  include (customer_id, series_id, status, issue_date, ledger_year, ledger_invoice_number, currency, external_id, title);

alter table issued_documents add column currency text;
alter table issued_documents disable trigger issued_documents_append_only;
update issued_documents d set currency = i.currency
  from invoices i where i.account_id = d.account_id and i.id = d.document_id;
update issued_documents d set currency = i.currency
  from credit_notes n join invoices i on i.account_id = n.account_id and i.id = n.invoice_id
  where n.account_id = d.account_id and n.id = d.document_id;
alter table issued_documents enable trigger issued_documents_append_only;
-- The addition gives every amount 19 digits, so that the order of the texts is that of the amounts. The columns of the
-- expression are included because an index is read without its table only where it has them.
create index issued_documents_by_amount on issued_documents
  (account_id, kind, (currency || (gross + 4000000000000000000)::text), document_id) include (currency, gross);
