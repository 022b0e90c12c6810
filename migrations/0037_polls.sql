-- Writers and polls with updated_since wait for each other no more. A transaction that stamps tells when it began, by an
-- advisory lock that only others of its kind take, all of them shared: nobody ever waits for it. A poll reads who has such a
-- lock, and ends before the oldest of them began.

-- The two keys of the lock: whose it is, and the begin in milliseconds without what 32 bits do not hold.
create function barrier_account(account uuid) returns integer language sql immutable parallel safe as $$
  select hashtextextended(account::text, 1)::bit(32)::integer
$$;

create or replace function stamp(account uuid) returns timestamptz language plpgsql volatile as $$
begin
  -- No stamp of a transaction lies before its begin, which is the same at each of its stamps: one lock for all.
  perform pg_advisory_xact_lock_shared(
    barrier_account(account), floor(date_part('epoch', now()) * 1000)::bigint::bit(32)::integer);
  return clock_timestamp();
end $$;

-- When the oldest of the transactions began that have stamped for the account and have not ended; null when there is none.
-- What is not among them any more can be seen by whatever is asked next: PostgreSQL shows a commit before it frees its locks.
create function oldest_writer(account uuid) returns timestamptz language plpgsql volatile as $$
declare
  begun oid[];
  -- After every begin that is found, so that none lies ahead: the count of milliseconds turns over after 49 days.
  ahead bigint;
begin
  select array_agg(objid) into begun from pg_locks
  where locktype = 'advisory' and objsubid = 2 and mode = 'ShareLock'
    and database = (select oid from pg_database where datname = current_database())
    and classid = (barrier_account(account)::bigint & 4294967295)::oid;
  ahead := floor(date_part('epoch', clock_timestamp()) * 1000)::bigint + 3600000;
  return (select to_timestamp(min(ahead - ((ahead - b::bigint) & 4294967295)) / 1000.0) from unnest(begun) as b);
end $$;

-- Polls that ended before the moment at which they were asked, because a transaction that had stamped was still open.
-- Whoever goes on from the moment of such a poll is served from where it ended.
create table polls_cut_short (
  account_id uuid not null references accounts (id),
  horizon timestamptz not null,
  asked_at timestamptz not null,
  primary key (account_id, horizon)
);

-- Between which stamps a poll is to serve rows, both later than the first and not later than the second. It waits a moment for
-- transactions that are about to end, holding nothing for which a writer would wait.
create function poll_bounds(account uuid, since timestamptz, out from_at timestamptz, out horizon timestamptz)
language plpgsql volatile as $$
declare
  asked timestamptz := clock_timestamp();
  begun timestamptz;
  old_key bigint := hashtextextended(account::text, 1);
begin
  -- A transaction that has stamped before this migration holds the barrier of then.
  perform pg_advisory_lock(old_key), pg_advisory_unlock(old_key);
  loop
    begun := oldest_writer(account);
    exit when begun is null or begun > asked or clock_timestamp() > asked + interval '100 milliseconds';
    perform pg_sleep(0.004);
  end loop;
  if begun is null or begun > asked then
    horizon := asked - interval '1 microsecond';
  else
    horizon := begun - interval '1 microsecond';
    insert into polls_cut_short as p (account_id, horizon, asked_at) values (account, poll_bounds.horizon, asked)
    on conflict on constraint polls_cut_short_pkey do update set asked_at = greatest(p.asked_at, excluded.asked_at);
  end if;
  from_at := least(since, (select min(p.horizon) from polls_cut_short p
    where p.account_id = account and p.horizon < since and p.asked_at >= since));
end $$;

-- For processes of the version before, as long as they run.
create or replace function poll_horizon(account uuid) returns timestamptz language sql volatile as $$
  select horizon from poll_bounds(account, 'infinity')
$$;
