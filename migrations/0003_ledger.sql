-- The built-in ledger: double entry, append-only, one entry per booked document, in functional currency.

create table ledger_accounts (
  account_id uuid not null references accounts,
  number integer not null check (number > 0),
  name text not null,
  type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  -- The Danish public standard chart and its edition, for exports; numbers move between editions.
  standard_number integer,
  standard_version text,
  vat_code text check (vat_code in
    ('DK25', 'DK0', 'DK_RC', 'EU_SERVICES_RC', 'EU_GOODS_RC', 'EXPORT_SERVICES', 'EXPORT_GOODS')),
  primary key (account_id, number)
);

-- Counters and the head of the journal's hash chain. A booking locks this row until it commits: numbers have no gaps.
create table ledger_books (
  account_id uuid primary key references accounts,
  next_entry_no bigint not null default 1,
  next_invoice_number bigint not null default 1 check (next_invoice_number > 0),
  next_credit_note_number bigint not null default 1 check (next_credit_note_number > 0),
  next_voucher_number bigint not null default 1 check (next_voucher_number > 0),
  head_hash bytea not null default '\x'
);

create table ledger_entries (
  account_id uuid not null references accounts,
  entry_no bigint not null,
  guid uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note', 'voucher')),
  number bigint not null,
  entry_date date not null,
  text text not null,
  currency text not null,
  rate_micro bigint,
  payload_hash bytea not null,
  reverses_guid uuid,
  registered_at timestamptz not null,
  registered_by text not null,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (account_id, entry_no),
  unique (account_id, guid),
  unique (account_id, kind, number)
);
create index ledger_entries_date on ledger_entries (account_id, entry_date, entry_no);

create table ledger_postings (
  account_id uuid not null,
  entry_no bigint not null,
  line_no integer not null,
  account_number integer not null,
  -- Debit above 0, credit below 0, in minor units of the functional currency.
  amount money_minor not null check (amount <> 0),
  -- The same in the entry's own currency.
  currency_amount money_minor not null,
  vat_code text,
  customer_id uuid,
  primary key (account_id, entry_no, line_no),
  foreign key (account_id, entry_no) references ledger_entries (account_id, entry_no),
  foreign key (account_id, account_number) references ledger_accounts (account_id, number),
  foreign key (account_id, customer_id) references customers (account_id, id)
);
create index ledger_postings_account on ledger_postings (account_id, account_number, entry_no);

create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_entries_no_truncate before truncate on ledger_entries execute function refuse_change();
create trigger ledger_postings_append_only before update or delete on ledger_postings
  for each row execute function refuse_change();
create trigger ledger_postings_no_truncate before truncate on ledger_postings execute function refuse_change();

-- At commit every entry balances, has two postings or more, and lies after the lock date. The lock date is read
-- with a share lock, so that a booking and a moving lock date cannot pass each other.
create function require_balanced_entry() returns trigger language plpgsql as $$
declare total numeric; postings integer;
begin
  select coalesce(sum(amount), 0), count(*) into total, postings from ledger_postings
    where account_id = new.account_id and entry_no = new.entry_no;
  if total <> 0 or postings < 2 then
    raise exception 'entry % does not balance: % in % postings', new.entry_no, total, postings
      using errcode = 'MB003';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function require_balanced_entry();
create constraint trigger ledger_postings_balanced after insert on ledger_postings
  deferrable initially deferred for each row execute function require_balanced_entry();

create function require_open_period() returns trigger language plpgsql as $$
declare locked date;
begin
  select period_lock_date into locked from configurations where account_id = new.account_id for share;
  if new.entry_date <= locked then
    raise exception 'entry % is dated %, locked through %', new.entry_no, new.entry_date, locked
      using errcode = 'MB004';
  end if;
  return new;
end $$;
create trigger ledger_entries_open_period before insert on ledger_entries
  for each row execute function require_open_period();
