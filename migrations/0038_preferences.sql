-- How a person wants the pages: they follow the browser where nothing is said.
create table preferences (
  account_id uuid not null,
  user_id uuid not null,
  language text check (language in ('da', 'en')),
  theme text check (theme in ('dark', 'light')),
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id)
);
