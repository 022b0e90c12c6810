-- The list of what customers owe steps from a customer to the next one of whom something is open.
create index open_items_owing on open_items (account_id, customer_id, currency) where open > 0;
