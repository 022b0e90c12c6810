-- Reports of an earlier day find what has changed since.
create index allocations_last_change on allocations (account_id, (greatest(date, reversed_on)));
create index open_items_ended on open_items (account_id, ended_on) where ended_on is not null;
