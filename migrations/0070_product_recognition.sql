-- How a new line with the product is earned, as editors propose it, and over how many months. A line states its own method.
alter table products
  add column default_recognition_method text
    check (default_recognition_method in ('value', 'hours', 'progress', 'milestone', 'on_issue')),
  add column default_months int check (default_months between 1 and 120),
  add constraint products_months_over_time
    check (default_months is null or default_recognition_method is not distinct from 'value');
