-- The scheduler looks for accounts with due periods in one statement over all accounts, which begins with the day.
create index recurring_series_waiting on recurring_series (next_due_on, account_id) where next_due_on is not null;
