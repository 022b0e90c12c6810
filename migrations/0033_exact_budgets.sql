-- What a partial period's share is taken of: recognition computes with the share exactly, and budget_hours is the
-- rounded hours that are shown. Lines from before have none and keep the rounded budget that they were counted by.
alter table invoice_lines add column nominal_budget integer check (nominal_budget > 0);
