-- Links that sign an operator's login in without its password: one for each login, so a newer one replaces an older one.
create table sign_in_links (
  login_id uuid primary key references logins,
  hash bytea not null unique,
  expires_at timestamptz not null
);

-- The login that the first start of this installation made.
create table first_start (
  login_id uuid primary key references logins,
  account_id uuid not null references accounts,
  -- Until the first sign-in the root address says where the link is.
  signed_in_at timestamptz,
  -- Until then the login sets its address and password without a mail, because its address has no mailbox.
  claimed_at timestamptz
);

-- The example accounts with a year of a studio.
create table studios (
  account_id uuid primary key references accounts,
  login_id uuid not null references logins,
  -- The last day of the year that is played.
  ends_on date not null,
  -- Whether the clock stays on the day after, for pictures; otherwise it runs when the year is played.
  stands boolean not null,
  -- How many steps of the year are done. Each step commits together with this count.
  steps_done integer not null default 0,
  lease_until timestamptz,
  finished_at timestamptz,
  -- A studio that was put away is no account to choose; its data stay.
  put_away_at timestamptz
);
-- A login has one studio.
create unique index studios_of_login on studios (login_id);

-- The first steps that an account's admins have put away.
create table put_away_steps (
  account_id uuid not null references accounts,
  step text not null check (step in ('welcome', 'company', 'customer', 'product', 'invoice', 'assistant')),
  put_away_at timestamptz not null default clock_timestamp(),
  primary key (account_id, step)
);
