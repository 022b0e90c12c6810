-- How old the rate of a document may be, in days before the document's date (null: of any age), and whether an invoice
-- that lacks what the law asks for is refused.
alter table configurations
  add column rate_max_age_days integer check (rate_max_age_days >= 0),
  add column require_complete_invoices boolean not null default false;
