-- Lists of all invoices, searched and by date of issue; products that are sold no more.

-- What a search and a range of dates look at, without the documents: the rows of an account that such a list passes over
-- are read here and not in the table, which is ten times as large.
create index invoices_listed on invoices (account_id, id)
  include (customer_id, series_id, status, issue_date, ledger_invoice_number, external_id, title);
-- The list of what series have invoiced.
create index invoices_of_series on invoices (account_id, id) where series_id is not null;

create index customers_inactive on customers (account_id, id) where not active;

-- An inactive product is not listed, and new lines do not take it.
alter table products add column active boolean not null default true;
create index products_active on products (account_id, id) where active;
