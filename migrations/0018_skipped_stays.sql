-- A cancellation drops only periods that begin after the end: an active series without an invoice is discarded where none
-- begins by it. What was skipped before the end stays skipped, and may still be issued.
update recurring_series set is_discarded = false
  where is_discarded and status = 'active' and end_date >= start_date;
