-- Why an invoice is credited: printed under the lines of the credit note, and frozen with it.
alter table credit_notes add column reason text check (length(reason) between 1 and 500);
