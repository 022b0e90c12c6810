-- The search finds payments by their amount.
create index payments_by_amount on payments (account_id, amount, id);
