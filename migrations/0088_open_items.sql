-- What customers owe and what is held for them, and what is applied to what (spec 13.2).

create table open_items (
  account_id uuid not null references accounts,
  -- The id of the document, which is its own for an opening item.
  id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note', 'payment', 'refund', 'reminder', 'opening')),
  is_credit boolean not null,
  external_id text,
  customer_id uuid not null,
  number text not null,
  date date not null,
  due_date date,
  currency text not null,
  amount money_minor not null check (amount > 0),
  -- What the item posted on receivables or customer credit, in functional currency.
  functional money_minor not null check (functional >= 0),
  -- What is left when all allocations that stand have begun.
  open money_minor not null check (open between 0 and amount),
  functional_open money_minor not null check (functional_open between 0 and functional),
  -- The day from which it no longer counts: reversed, cancelled, or settled before receivables were begun.
  ended_on date check (ended_on >= date),
  request_hash bytea,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  check (ended_on is null or (open = 0 and functional_open = 0)),
  check (open > 0 or functional_open = 0),
  check ((due_date is not null) = (kind in ('invoice', 'reminder', 'opening')))
);
create index open_items_of_customer on open_items (account_id, customer_id, id);
create index open_items_open on open_items (account_id, due_date, id) where open > 0;
create index open_items_updated on open_items (account_id, updated_at, id);

-- What joins a debit item and a credit item of one currency. Only the taking back changes a row.
create table allocations (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  debit_id uuid not null,
  credit_id uuid not null,
  currency text not null,
  -- Taken of the credit item; the debit item loses the rounding besides.
  amount money_minor not null check (amount > 0),
  rounding money_minor not null check (amount + rounding > 0),
  -- In functional currency: what each item loses, the share of the rounding, and the gain.
  debit_functional money_minor not null check (debit_functional >= 0),
  credit_functional money_minor not null check (credit_functional >= 0),
  rounding_functional money_minor not null,
  exchange_difference money_minor not null,
  date date not null,
  reversed_on date check (reversed_on >= date),
  reversal_reason text,
  -- The journal entry that it is in; null where nothing is posted.
  entry_no bigint,
  request_hash bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  foreign key (account_id, debit_id) references open_items (account_id, id),
  foreign key (account_id, credit_id) references open_items (account_id, id),
  check (credit_functional + rounding_functional = debit_functional + exchange_difference),
  check ((reversed_on is null) = (reversal_reason is null))
);
create index allocations_of_debit on allocations (account_id, debit_id, id);
create index allocations_of_credit on allocations (account_id, credit_id, id);
create index allocations_updated on allocations (account_id, updated_at, id);

-- The day from which an account knows what is paid. No row: nothing says paid or overdue.
create table receivables_begins (
  account_id uuid not null references accounts,
  begun_on date not null,
  primary key (account_id)
);

-- As before, and the open item of the invoice between the credit note and the configuration.
create or replace function lock_credit(account uuid, by_id uuid, by_external_id text, note_external_id text) returns void
language plpgsql as $$
declare invoice uuid := by_id;
begin
  if by_id is null then
    select e.id into invoice from invoices e where e.account_id = account and e.external_id = by_external_id for no key update of e;
  else
    perform 1 from invoices i where i.account_id = account and i.id = by_id for no key update of i;
  end if;
  perform 1 from credit_notes n where n.account_id = account and n.external_id = note_external_id for no key update of n;
  perform 1 from open_items o where o.account_id = account and o.id = invoice for no key update of o;
  perform 1 from configurations c where c.account_id = account for share of c;
end
$$;

-- Documents that the built-in ledger booked before: what each posted on receivables is what its entry says.
insert into open_items (account_id, id, kind, is_credit, customer_id, number, date, due_date, currency, amount, functional, open,
  functional_open, updated_at)
select d.account_id, d.document_id, d.kind, d.kind = 'credit_note', n.customer_id, d.number::text, e.entry_date,
  case when d.kind = 'invoice' then (d.snapshot::json #>> '{payment,due_date}')::date end,
  d.currency, d.gross, coalesce(p.functional, 0), d.gross, coalesce(p.functional, 0), clock_timestamp()
from issued_documents d
join (
  select account_id, id, customer_id, coalesce(ledger_invoice_guid, id) as guid from invoices where status = 'issued'
  union all
  select account_id, id, customer_id, coalesce(ledger_credit_note_guid, id) from credit_notes where status = 'issued'
) n on n.account_id = d.account_id and n.id = d.document_id
join ledger_entries e on e.account_id = d.account_id and e.guid = n.guid and e.kind = d.kind
left join lateral (
  select abs(sum(p.amount))::bigint as functional from ledger_postings p
  where p.account_id = d.account_id and p.entry_no = e.entry_no and p.account_number = 6190) p on true
where d.ledger_connection_id is null and d.gross > 0;

-- A credit note takes of its own invoice what it credits. Their match has the note's id, and posts nothing.
insert into allocations (account_id, id, debit_id, credit_id, currency, amount, rounding, debit_functional, credit_functional,
  rounding_functional, exchange_difference, date, created_at, updated_at)
select c.account_id, c.id, i.id, c.id, c.currency, c.amount, 0, c.functional, c.functional, 0, 0, c.date, clock_timestamp(),
  clock_timestamp()
from open_items c
join credit_notes n on n.account_id = c.account_id and n.id = c.id
join open_items i on i.account_id = n.account_id and i.id = n.invoice_id
where c.kind = 'credit_note';

update open_items i set open = i.amount - t.amount, functional_open = i.functional - t.functional
from (
  select account_id, debit_id as id, sum(amount) as amount, sum(debit_functional) as functional from allocations group by 1, 2
  union all
  select account_id, credit_id, amount, credit_functional from allocations) t
where t.account_id = i.account_id and t.id = i.id;
