-- E-invoices as they were made, each once: a function of the frozen document, its format, its receiver and what was corrected.

create table einvoice_files (
  account_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  format text not null check (format in ('peppol-bis-3', 'oioubl-2.1', 'factur-x')),
  -- The electronic address, such as 0088:5798009811578; empty without one.
  receiver text not null,
  -- The references of the buyer that were corrected, as JSON with its keys in alphabetical order; {} without.
  corrections text not null,
  content bytea not null,
  sha256 bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  unique (account_id, document_id, format, receiver, corrections),
  foreign key (account_id, document_id) references issued_documents (account_id, document_id)
);
create trigger einvoice_files_append_only before update or delete on einvoice_files
  for each row execute function refuse_change();
create trigger einvoice_files_no_truncate before truncate on einvoice_files execute function refuse_change();
