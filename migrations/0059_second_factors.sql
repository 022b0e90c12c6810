-- The second factor of a login, for all its accounts: an authenticator app, passkeys, and recovery codes for when both are lost.

-- A login has one active authenticator app at most, and one that waits for its first right code and does not count yet.
create table authenticators (
  login_id uuid not null references logins on delete cascade,
  state text not null check (state in ('new', 'active')),
  -- AES-256-GCM under the named key, with the login as associated data.
  key_id text not null,
  sealed_secret bytea not null,
  -- The time step of the last code that was accepted: a code works once, and none before it works.
  last_step bigint,
  created_at timestamptz not null default clock_timestamp(),
  primary key (login_id, state),
  check (state = 'new' or last_step is not null)
);

create table passkeys (
  -- The credential's id, in base64url.
  id text primary key,
  login_id uuid not null references logins on delete cascade,
  name text not null,
  public_key bytea not null,
  -- How often the authenticator says that it has signed; 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkeys_login on passkeys (login_id);

-- Ten at a time; a used one is deleted, and a new set replaces the old one.
create table recovery_codes (
  login_id uuid not null references logins on delete cascade,
  hash bytea not null,
  primary key (login_id, hash)
);

-- A right password that waits for the second factor. It is no session: nothing but the page of the factor opens for it.
create table pending_sign_ins (
  hash bytea primary key,
  login_id uuid not null references logins on delete cascade,
  expires_at timestamptz not null
);
create index pending_sign_ins_login on pending_sign_ins (login_id);

-- What a passkey has to sign, once: for the browser whose cookie has the hash.
create table passkey_challenges (
  hash bytea primary key,
  login_id uuid not null references logins on delete cascade,
  purpose text not null check (purpose in ('register', 'answer')),
  challenge text not null,
  expires_at timestamptz not null
);
