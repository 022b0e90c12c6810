-- A payment that came back is found by its own id, or by the reference with which it was paid.
create index bank_lines_end_to_end on bank_lines (account_id, end_to_end_id) where amount > 0 and end_to_end_id is not null;
create index bank_lines_reference on bank_lines (account_id, reference) where amount > 0 and reference is not null;
-- The credits that money out may give back, of which an account has few.
create index open_items_credits on open_items (account_id, id) where is_credit and open > 0;
