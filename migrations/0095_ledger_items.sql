-- Invoices and credit notes that a connected ledger booked, with what was read there of their payment (spec 13.9). Nothing of it is
-- ever written there.
create table ledger_items (
  account_id uuid not null references accounts,
  -- The id of the document.
  id uuid not null,
  connection_id uuid not null,
  -- The guid of the document in the ledger.
  guid uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  customer_id uuid not null,
  number text not null,
  date date not null,
  due_date date,
  currency text not null,
  amount money_minor not null check (amount > 0),
  -- The amount in functional currency.
  functional money_minor not null check (functional >= 0),
  -- As the ledger reported it; null before the first answer, and of a document of which the ledger does not report it.
  state text check (state in ('open', 'partly_paid', 'paid', 'overpaid')),
  paid money_minor,
  -- What is left to pay; below 0 where too much was paid.
  remaining money_minor,
  paid_on date,
  -- When the ledger was last asked for this document, and when it first reported the present state.
  read_at timestamptz,
  reported_at timestamptz,
  -- When it is asked for this document; null while nothing has changed there.
  next_read_at timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, id) references issued_documents (account_id, document_id),
  foreign key (account_id, connection_id) references ledger_connections (account_id, id),
  check ((due_date is not null) = (kind = 'invoice'))
);
create index ledger_items_of_customer on ledger_items (account_id, customer_id, id);
create index ledger_items_open on ledger_items (account_id, connection_id, id) where state is null or state in ('open', 'partly_paid');
create index ledger_items_due on ledger_items (account_id, connection_id, next_read_at) where next_read_at is not null;
create index ledger_items_updated on ledger_items (account_id, updated_at, id);

alter table ledger_connections
  -- Where the next look at changed payments begins; when all that is open was last read, and when all documents were.
  add column payments_until text,
  add column payments_read_at timestamptz,
  add column payments_whole_at timestamptz,
  add column next_payments_at timestamptz not null default clock_timestamp();

-- Documents that a connected ledger booked before; the ledger is asked for each of them.
insert into ledger_items (account_id, id, connection_id, guid, kind, customer_id, number, date, due_date, currency, amount, functional,
  next_read_at, updated_at)
select d.account_id, d.document_id, d.ledger_connection_id, n.guid, d.kind, n.customer_id, d.number::text,
  (d.snapshot::json ->> 'issue_date')::date,
  case when d.kind = 'invoice' then (d.snapshot::json #>> '{payment,due_date}')::date end, d.currency, d.gross,
  (select coalesce(sum(rtrim(l.line ->> 'net_functional', 'n')::bigint), 0)
    from json_array_elements(d.snapshot::json -> 'lines') as l (line))
  + (select coalesce(sum(rtrim(v.entry ->> 'vat_functional', 'n')::bigint), 0)
    from json_array_elements(d.snapshot::json -> 'vat') as v (entry)),
  clock_timestamp(), clock_timestamp()
from issued_documents d
join (
  select account_id, id, customer_id, coalesce(ledger_invoice_guid, id) as guid from invoices where status = 'issued'
  union all
  select account_id, id, customer_id, coalesce(ledger_credit_note_guid, id) from credit_notes where status = 'issued'
) n on n.account_id = d.account_id and n.id = d.document_id
where d.ledger_connection_id is not null and d.kind in ('invoice', 'credit_note') and d.gross > 0;
