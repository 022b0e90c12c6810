-- The month close may be a person's start page.
alter table preferences drop constraint preferences_start_page_check;
alter table preferences add constraint preferences_start_page_check
  check (start_page in ('today', 'hours', 'close'));
