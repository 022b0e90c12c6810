-- Where a person is signed in: each session has a name that is no secret, and says from which browser and network it began.
-- Sessions that began before this migration have neither.
alter table sessions
  add column id uuid not null default gen_random_uuid(),
  -- The User-Agent header, cut to 400 characters.
  add column browser text,
  add column network text,
  -- The last time at which the person has proved in this session who they are.
  add column answered_at timestamptz;
update sessions set answered_at = created_at;
alter table sessions
  alter column answered_at set default clock_timestamp(),
  alter column answered_at set not null;
create unique index sessions_id on sessions (id);
