-- What the start page asks for, each found without going through what is settled; and where a person begins.

-- Attempts by how they stand: those that failed, or may have arrived, among all that left.
create index deliveries_state on deliveries (account_id, state, id);

create index invoices_issued_on on invoices (account_id, issue_date) where status = 'issued';
create index credit_notes_issued_on on credit_notes (account_id, credit_date) where status = 'issued';

-- Plans that may still be carried out.
create index plans_open on plans (account_id, expires_at) where state in ('open', 'begun');

-- Retainers that are not agreed yet, and those that end by themselves.
create index recurring_series_draft on recurring_series (account_id, start_date)
  where status = 'draft' and not is_discarded;
create index recurring_series_end on recurring_series (account_id, end_date)
  where status = 'active' and not is_discarded and cancelled_at is null and end_date is not null;
create index occurrences_failed on occurrences (account_id, series_id, period_index) where state = 'failed';

-- Invoiced milestones, of which few are not completed; work on drafts of one-time invoices by day.
create index invoice_lines_milestone on invoice_lines (account_id, id) include (invoice_id, amount)
  where recognition_method = 'milestone' and amount is not null;
create index work_registrations_waiting on work_registrations (account_id, date) include (invoice_id, line_id)
  where status = 'open' and billable and invoice_id is not null;

-- Revenue by month as it was when it was last added up: only accounts that are too large to add it up while somebody waits
-- have a row.
create table revenue_figures (
  account_id uuid primary key references accounts,
  -- When somebody last looked.
  wanted_at timestamptz not null,
  computed_at timestamptz,
  -- [{month, earned, invoiced, asset, liability}], minor units as text; null until it was added up once.
  content text,
  check ((computed_at is null) = (content is null))
);

-- Null is where the role begins.
alter table preferences add column start_page text check (start_page in ('today', 'hours'));
