-- The orders of lists on pages. A page of a list begins after the last row of the page before it, which each index finds.

-- Numbers that begin again each year follow those of the year before. Documents of a ledger without years have no year.
create index invoices_by_number on invoices
  (account_id, (coalesce(ledger_year, 0)::bigint * 1000000000000 + ledger_invoice_number), id) where status = 'issued';
create index invoices_by_day on invoices (account_id, issue_date, id) where status = 'issued';
-- The index above begins with the columns of this one.
drop index invoices_issued_on;
create index invoices_draft_changed on invoices (account_id, updated_at, id) where status = 'draft';

-- A credit note without a number waits for its booking: it comes before the others.
create index credit_notes_by_number on credit_notes
  (account_id, coalesce(ledger_year::bigint * 1000000000000 + ledger_credit_note_number, ledger_credit_note_number, 9000000000000000000), id);
create index credit_notes_by_day on credit_notes (account_id, credit_date, id);

create index customers_by_name on customers (account_id, lower(name), id);
