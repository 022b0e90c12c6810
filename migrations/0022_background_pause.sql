-- A restored copy does nothing by itself until it is resumed: it would issue and send what the original does.

-- Has its one row while background work stands still, and all mail with it. `if not exists`, because a restore makes
-- it before it loads what was backed up by a version that had none.
create table if not exists background_pause (
  is_paused boolean primary key check (is_paused),
  since timestamptz not null
);

-- Messages to people about their sign-in, asked for while mail is held. They hold their links in the clear, and go
-- when they are sent.
create table held_notes (
  id uuid primary key,
  sandbox boolean not null,
  recipient text not null,
  subject text not null,
  text text not null,
  created_at timestamptz not null default clock_timestamp()
);
