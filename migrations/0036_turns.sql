-- Accounts take turns in background work: by an index that begins with the account a worker goes from one that waits to
-- the next, however much one of them has, and finds the oldest of each.

-- From when on a delivery may be tried: it is due, and nobody has it any more.
create index deliveries_turns on deliveries (account_id, greatest(next_attempt_at, lease_until))
  where state in ('queued', 'failed_temporary');
drop index deliveries_due;

create index intents_turns on intents (account_id, greatest(next_attempt_at, lease_until));
drop index intents_due;

-- Documents without a PDF that a worker is to render. Rows come with their document, whoever stores it, and go with its
-- file, or when it cannot be rendered.
create table waiting_documents (
  account_id uuid not null,
  document_id uuid not null,
  -- Characters of the snapshot: about what rendering costs.
  weight integer not null,
  -- A minute after the booking, so that the request that may send it comes first; later while a worker has it.
  not_before timestamptz not null,
  primary key (account_id, document_id)
);
create index waiting_documents_turns on waiting_documents (account_id, not_before);

create function await_rendering() returns trigger language plpgsql as $$
begin
  insert into waiting_documents (account_id, document_id, weight, not_before)
    select account_id, document_id, length(snapshot), created_at + interval '1 minute' from issued;
  return null;
end $$;
create trigger issued_documents_wait after insert on issued_documents
  referencing new table as issued for each statement execute function await_rendering();

insert into waiting_documents (account_id, document_id, weight, not_before)
  select d.account_id, d.document_id, length(d.snapshot), d.created_at + interval '1 minute'
  from issued_documents d
  where d.created_at > clock_timestamp() - interval '7 days'
    and not exists (select from document_files f
      where f.account_id = d.account_id and f.document_id = d.document_id and f.format = 'pdf');
drop index issued_documents_created;
