-- Lists for assistants show drafts by their last change. An issue keeps the time, so that a list which began before the issue
-- finds the invoice where it was.

-- Null: issued before this column existed.
alter table invoices add column drafted_at timestamptz;
update invoices set drafted_at = updated_at where status = 'draft';
alter table invoices alter column drafted_at set default clock_timestamp();

-- The last issue of a credit note, and those after a moment.
create index issued_documents_of_notes on issued_documents (account_id, created_at) where kind = 'credit_note';
