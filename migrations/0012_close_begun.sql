-- When the present run of a close began: customers that have changed since may have been renamed past the place to
-- which it had come, and are looked for once more at its end.
alter table period_closes add column begun_at timestamptz not null default clock_timestamp();
