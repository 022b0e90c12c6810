-- A call that was given up may still reach the ledger: until when, and what it would leave there. Until then the link is told
-- again before it counts as synced, and what was sent so is never taken over as a change of the ledger.
alter table ledger_links add unsure_until timestamptz;
-- The last such calls, as a JSON array of what they told.
alter table ledger_links add given_up text;
