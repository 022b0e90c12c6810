-- The line of an occurrence is found by its id: that carries the end of the series line's own id, and the period.
create index series_lines_end on series_lines (account_id, right(line_id::text, 17));

-- Of lines of an older version, whose ids in the periods of that time are hashes: the number of the first such period,
-- and of the first after them (src/domain/series/line-id.ts).
alter table series_lines add column hashed_periods integer[] check (cardinality(hashed_periods) = 2);

-- Those ids, with what they are of: a hash cannot be read back.
create table hashed_line_ids (
  account_id uuid not null,
  id uuid not null,
  line_id uuid not null,
  period text not null,
  primary key (account_id, id),
  foreign key (account_id, line_id) references series_lines (account_id, line_id)
);
create trigger hashed_line_ids_append_only before update or delete on hashed_line_ids
  for each row execute function refuse_change();
create trigger hashed_line_ids_no_truncate before truncate on hashed_line_ids execute function refuse_change();
