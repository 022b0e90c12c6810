-- What was booked as a document, its rendered files, the attempts to send it, and bookings under way.

-- The frozen snapshot from which PDF and e-invoice are made (decisions.md 37).
create table issued_documents (
  account_id uuid not null references accounts,
  document_id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  number bigint not null,
  snapshot text not null,
  payload_hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, document_id)
);
create trigger issued_documents_no_truncate before truncate on issued_documents execute function refuse_change();
create index issued_documents_created on issued_documents (created_at);
create trigger issued_documents_append_only before update or delete on issued_documents
  for each row execute function refuse_change();

-- Rendered once, never again.
create table document_files (
  account_id uuid not null,
  document_id uuid not null,
  format text not null check (format in ('pdf')),
  content bytea not null,
  sha256 bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, document_id, format),
  foreign key (account_id, document_id) references issued_documents (account_id, document_id)
);
create trigger document_files_append_only before update or delete on document_files
  for each row execute function refuse_change();
create trigger document_files_no_truncate before truncate on document_files execute function refuse_change();

create table deliveries (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  channel text not null check (channel in ('email', 'einvoice')),
  address text,
  state text not null check (state in ('queued', 'sending', 'written_to_outbox', 'accepted',
    'failed_temporary', 'failed_permanent', 'unknown')),
  error_code text,
  send_error text,
  attempt integer not null default 0,
  -- The message as it was first rendered: a repeated attempt sends the same bytes with the same Message-ID.
  message bytea,
  next_attempt_at timestamptz,
  -- Until then the attempt belongs to one process.
  lease_until timestamptz,
  at timestamptz not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, document_id) references issued_documents (account_id, document_id)
);
create index deliveries_document on deliveries (account_id, document_id, id);
-- The worker's view over all accounts: what is due, or was left behind by a process that died.
create index deliveries_due on deliveries (next_attempt_at) where state in ('queued', 'failed_temporary');
create index deliveries_sending on deliveries (lease_until) where state = 'sending';

-- A booking in an external ledger that has begun: the payload is frozen before the first byte leaves, and the row
-- goes when the outcome is known. Its id is the document's guid in the ledger.
create table intents (
  account_id uuid not null references accounts,
  id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  payload text not null,
  payload_hash bytea not null,
  actor_kind text not null,
  actor_id text not null,
  attempts integer not null default 0,
  last_outcome text,
  lease_until timestamptz not null,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id)
);
create index intents_due on intents (next_attempt_at);
