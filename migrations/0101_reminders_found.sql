-- The search finds reminders by their number, by what they ask for in all, and by what they charge.
create index reminders_by_number on reminders (account_id, number);
create index reminders_by_total on reminders (account_id, total, id);
create index reminders_by_charge on reminders (account_id, (fee + interest + compensation), id);
