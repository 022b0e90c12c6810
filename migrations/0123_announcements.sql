-- What the scheduler announces in the audit trail: that a series ends soon, that it has ended, and that a month waits for its close.
-- The end dates of a series that were announced: each once, also when an end date comes back.
alter table recurring_series
  add column announced_soon date[] not null default '{}',
  add column announced_ended date[] not null default '{}';
-- What lies before this version is not announced.
update recurring_series s set
    announced_soon = case when s.end_date <= t.today + 30 then array[s.end_date] else '{}' end,
    announced_ended = case when s.end_date < t.today then array[s.end_date] else '{}' end
  from (select a.id, (coalesce(a.test_clock, now()) at time zone k.time_zone)::date as today
    from accounts a join configurations k on k.account_id = a.id) t
  where t.id = s.account_id and s.end_date <= t.today + 30;
-- The day of the next announcement: 30 days before the end, unless it was cancelled, and the day after it.
alter table recurring_series add column next_announcement_on date generated always as (
  case when status <> 'active' or is_discarded or end_date is null then null
    when cancelled_at is null and not end_date = any(announced_soon) then end_date - 30
    when not end_date = any(announced_ended) then end_date + 1 end) stored;
create index recurring_series_announced on recurring_series (next_announcement_on, account_id)
  where next_announcement_on is not null;

-- The months whose close was announced as ready.
create table announced_months (
  account_id uuid not null references accounts,
  month text not null,
  primary key (account_id, month)
);
insert into announced_months (account_id, month)
  select account_id, month from period_closes
  union
  select m.account_id, m.month from (
    select k.account_id, (coalesce(a.test_clock, now()) at time zone k.time_zone)::date as today,
      coalesce(
        to_char(greatest((c.through || '-01')::date + interval '1 month',
          date_trunc('month', greatest(k.period_lock_date, l.locked_through) + 1)), 'YYYY-MM'),
        to_char((select min(i.issue_date) from invoices i where i.account_id = k.account_id and i.status = 'issued'),
          'YYYY-MM')) as month
    from configurations k join accounts a on a.id = k.account_id
      left join (select account_id, max(month) filter (where status = 'completed') as through
        from period_closes group by account_id) c on c.account_id = k.account_id
      left join ledger_connections l on l.account_id = k.account_id and l.is_current) m
  where m.month < to_char(m.today, 'YYYY-MM')
  on conflict do nothing;
