-- Mail that an account sends within an hour has limits, which all processes count together.

-- A window begins with the first message. The subject is what is counted: `all`, `people` (invitations and links for a
-- new password), or the id of a document.
create table mail_counters (
  account_id uuid not null references accounts,
  subject text not null,
  count integer not null,
  ends_at timestamptz not null,
  primary key (account_id, subject)
);

-- Whether the delivery is one of those counted: its repetitions after a failure are the same message, and count no more.
alter table deliveries add column is_counted boolean not null default false;
