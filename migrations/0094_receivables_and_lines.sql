-- Reports of an earlier day find what has changed since.
create index allocations_last_change on allocations (account_id, (greatest(date, reversed_on)));
create index open_items_ended on open_items (account_id, ended_on) where ended_on is not null;

-- What a line was booked as, with which a repetition is compared.
alter table bank_lines add column request_hash bytea;
-- The customer that an account of a counterparty has paid for.
create index bank_lines_of_payment on bank_lines (account_id, payment_id) where payment_id is not null;
