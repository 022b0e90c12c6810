-- Sign-in of people, and the authorization server for their assistants. Of every secret only its SHA-256 is here;
-- what is looked up by a secret is looked up before an account is known, so that these tables begin with the secret.

-- What a browser's cookie stands for. A login with several users has no account until one is chosen.
create table sessions (
  hash bytea primary key,
  login_id uuid not null references logins on delete cascade,
  account_id uuid,
  user_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users,
  check ((account_id is null) = (user_id is null))
);
create index sessions_login on sessions (login_id);
create index sessions_user on sessions (account_id, user_id);

-- The link in a mail: it lets its holder become the user it names, once. A newer one replaces an older.
create table invitations (
  account_id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users
);
create unique index invitations_hash on invitations (hash);

-- The link for somebody who has forgotten their password. It belongs to a login, whatever accounts that has.
create table password_resets (
  login_id uuid primary key references logins on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz not null
);

-- Attempts within a window: a sign-in of a login, requests of an address. The key is the SHA-256 of what is counted.
create table rate_counters (
  key bytea primary key,
  count integer not null,
  ends_at timestamptz not null
);

-- Keys that sign access tokens. A key signs from a minute after its making, so that every process knows it by then,
-- and is good for verifying until it is retired.
create table oauth_keys (
  kid text primary key,
  -- The private key, ES256.
  jwk text not null,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);

-- Secrets of the installation that sign client ids and derive refresh tokens.
create table oauth_secrets (
  name text primary key,
  secret bytea not null
);

-- What a person has allowed an assistant. Without its row every token of it is dead.
create table oauth_grants (
  id uuid primary key,
  account_id uuid not null references accounts,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default clock_timestamp(),
  -- Thirty days from the consent, however often tokens are refreshed.
  expires_at timestamptz not null,
  last_used_at timestamptz,
  foreign key (account_id, user_id) references users
);
create index oauth_grants_user on oauth_grants (account_id, user_id);

-- A consent on its way to becoming a grant. Kept for a while after its use: a second use ends the grant.
create table oauth_codes (
  hash bytea primary key,
  account_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  scopes text[] not null,
  redirect_uri text not null,
  challenge text not null,
  consented_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The grant that it became; no reference, because the grant may be gone.
  grant_id uuid,
  foreign key (account_id, user_id) references users
);
create index oauth_codes_user on oauth_codes (account_id, user_id);

create table oauth_refresh_tokens (
  hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index oauth_refresh_tokens_grant on oauth_refresh_tokens (grant_id);
-- A grant has one live refresh token at most, whatever races there are.
create unique index oauth_refresh_tokens_live on oauth_refresh_tokens (grant_id) where used_at is null;

-- Which users a login is. A login may be a user of several accounts, and of one account once.
create unique index users_login on users (account_id, login_id);
create index users_of_login on users (login_id);
