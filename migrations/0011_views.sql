-- What belongs to a person: the views of assistants (mine, all), and the work that waits for them.

-- The period in whose light the standing lines of a series are shown: its first open one, else its last. Written
-- with the series' document, from which it cannot differ.
alter table recurring_series add column standing_index integer not null default 0 check (standing_index >= 0);

update recurring_series s set standing_index = (
  select min(i.index) from generate_series(0, (
    select 1 + coalesce(max(h.period_index), -1) from (
      select period_index from invoices n
      where n.account_id = s.account_id and n.series_id = s.id and n.status = 'issued'
      union all
      select period_index from occurrences o
      where o.account_id = s.account_id and o.series_id = s.id and o.state = 'skipped') h)) as i (index)
  where not exists (select from invoices n
      where n.account_id = s.account_id and n.series_id = s.id and n.status = 'issued' and n.period_index = i.index)
    and not exists (select from occurrences o
      where o.account_id = s.account_id and o.series_id = s.id and o.state = 'skipped' and o.period_index = i.index));

-- Who is assigned to a line of a series, by any of its versions or overrides.
create table series_line_assignees (
  account_id uuid not null,
  line_id uuid not null,
  user_id uuid not null,
  -- The index of the period from which on the person is not assigned any more; null: never. An override counts for
  -- good, a version until the next one takes its place.
  until_index integer,
  primary key (account_id, line_id, user_id),
  foreign key (account_id, line_id) references series_lines (account_id, line_id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index series_line_assignees_user on series_line_assignees (account_id, user_id, line_id);

insert into series_line_assignees (account_id, line_id, user_id, until_index)
select p.account_id, p.line_id, (a ->> 'user_id')::uuid,
  case when bool_or(p.until_index is null) then null else max(p.until_index) end
from (
  select account_id, line_id, content,
    lead(from_index) over (partition by account_id, line_id order by from_index) as until_index
  from series_line_versions
  union all
  select account_id, line_id, content, null from series_line_overrides) p
cross join lateral json_array_elements(p.content::json -> 'assignees') a
where p.content is not null
group by p.account_id, p.line_id, a ->> 'user_id';

-- Drafts and active series, gone through for the lines that wait for work.
create index recurring_series_active on recurring_series (account_id, id) where status = 'active';
