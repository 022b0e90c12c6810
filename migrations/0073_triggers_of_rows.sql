-- Triggers that a cluster can run: each for one row, and with its calls before the statement, because what a trigger executes is
-- planned again on the machine of the account.

-- As before: a new or changed customer or product is queued for the connected ledger.
create or replace function queue_link() returns trigger language plpgsql as $$
declare
  current_connection uuid;
  moment timestamptz;
  due_at timestamptz;
  before text;
begin
  for current_connection in
    select c.id from ledger_connections c where c.account_id = new.account_id and c.is_current
  loop
    moment := clock_timestamp();
    due_at := moment + interval '10 seconds';
    if tg_op = 'UPDATE' then
      before := to_json(old)::text;
    end if;
    insert into ledger_links as l (account_id, connection_id, kind, local_id, state, next_attempt_at, updated_at)
    values (new.account_id, current_connection, tg_argv[0], new.id, 'queued', due_at, moment)
    on conflict (account_id, connection_id, kind, local_id) do update set
      state = 'queued', version = l.version + 1, next_attempt_at = excluded.next_attempt_at, attempts = 0,
      reason = null, is_answered = false, previous = before, updated_at = excluded.updated_at;
  end loop;
  return null;
end $$;

-- As before: an issued document waits for its PDF.
create or replace function await_rendering() returns trigger language plpgsql as $$
declare
  weight integer := length(new.snapshot);
  not_before timestamptz := new.created_at + interval '1 minute';
begin
  insert into waiting_documents (account_id, document_id, weight, not_before)
  values (new.account_id, new.document_id, weight, not_before);
  return null;
end $$;
drop trigger issued_documents_wait on issued_documents;
create trigger issued_documents_wait after insert on issued_documents
  for each row execute function await_rendering();
