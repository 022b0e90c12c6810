-- The last day whose reminders the scheduler sent (spec 13.7).
create table automatic_reminders (
  account_id uuid primary key references accounts,
  sent_on date not null
);
