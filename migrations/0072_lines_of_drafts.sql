-- Lines of drafts are found without those of issued invoices, which are many more: which products drafts sell, and which
-- drafts have a line of a person. The amount of a line is written by the issue.
create index invoice_lines_draft on invoice_lines (account_id, product_id, invoice_id) include (id) where amount is null;

-- Drafts of one-time invoices are found in the index alone.
drop index invoices_draft;
create index invoices_draft on invoices (account_id, id) include (series_id) where status = 'draft';
