-- Bookings in an external ledger are kept: what was asked for, what was answered to each call, and how it ended.

alter table intents
  add column document_id uuid,
  -- The connection that it goes through; null for a ledger without a row of its own.
  add column connection_id uuid,
  add column state text not null default 'booking'
    check (state in ('booking', 'unknown', 'pending', 'parked', 'settled', 'released')),
  -- Where its lines are posted there, frozen with the payload: a JSON array.
  add column accounts text not null default '[]',
  -- When the last call began that may have arrived; null while nothing can have been booked.
  add column called_at timestamptz,
  -- Looks since then that count and found nothing, and when the first of them was.
  add column looks integer not null default 0,
  add column absent_at timestamptz,
  -- Why it is parked, or was released.
  add column reason text,
  add column settled_at timestamptz,
  -- When drafts that late calls may have left there are looked for; null where there can be none, and after it.
  add column sweep_at timestamptz,
  -- What the ledger calls what it booked.
  add column ledger_id text,
  add column ledger_number bigint;

-- Until now an intent had its document's id. Of those that are open any call may have arrived, the last one just now.
update intents set document_id = id, state = 'unknown', called_at = clock_timestamp();
alter table intents alter column document_id set not null;

create unique index intents_open on intents (account_id, document_id)
  where state in ('booking', 'unknown', 'pending', 'parked');
create index intents_document on intents (account_id, document_id, created_at);
-- Workers look for what is due among what is open alone, however much is kept.
drop index intents_turns;
create index intents_turns on intents (account_id, greatest(next_attempt_at, lease_until))
  where state in ('booking', 'unknown', 'pending');
create index intents_sweep on intents (account_id, sweep_at) where sweep_at is not null;
create index intents_kept on intents (settled_at) where settled_at is not null;

-- Each call of a ledger for an intent, and each request of which it consists.
create table intent_calls (
  account_id uuid not null,
  intent_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  -- `book`, `find` or `sweep` for a call, else the request's own.
  verb text not null,
  -- What it came to, and why: of a request the status of HTTP.
  outcome text not null,
  status text,
  ms integer not null,
  primary key (account_id, intent_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id) on delete cascade
);

-- A number is the only one within the connection that gave it and, where numbers begin anew each year, within the year.
-- Documents of the built-in ledger have neither.
alter table invoices add column ledger_connection_id uuid, add column ledger_year integer;
alter table invoices drop constraint invoices_account_id_ledger_invoice_number_key;
create unique index invoices_ledger_number
  on invoices (account_id, ledger_invoice_number, ledger_connection_id, ledger_year)
  nulls not distinct where ledger_invoice_number is not null;

alter table credit_notes add column ledger_connection_id uuid, add column ledger_year integer;
alter table credit_notes drop constraint credit_notes_account_id_ledger_credit_note_number_key;
create unique index credit_notes_ledger_number
  on credit_notes (account_id, ledger_credit_note_number, ledger_connection_id, ledger_year)
  nulls not distinct where ledger_credit_note_number is not null;

alter table issued_documents add column ledger_connection_id uuid, add column ledger_year integer;

alter table accrual_bookings
  add column ledger_connection_id uuid, add column voucher_year integer, add column reversal_year integer;
