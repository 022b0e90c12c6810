-- The amount of a bank line, in or out, is found by the search.
create index bank_lines_amount on bank_lines (account_id, abs(amount), id);
