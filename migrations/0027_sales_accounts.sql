-- Which account a sale goes to, where its product names none. Of products from before this nobody knows whether they
-- named theirs: they count as naming it, so that nothing of theirs moves.
alter table products add column names_account boolean not null default true;
alter table products alter column names_account drop default;

-- The account of sales at home, on lines whose account the chart chooses by VAT treatment; null where it is fixed. An
-- issued line has in account_number what was booked.
alter table invoice_lines add column domestic_account integer;
