-- What is booked in a ledger outside of our database, by the date of the document: for the comparison of a month.
create index intents_dated on intents (account_id, connection_id, (payload::json ->> 'issue_date'));
