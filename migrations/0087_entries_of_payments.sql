-- Entries of payments, reminders and opening items, each kind with its own numbers, and the accounts that they post to.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('invoice', 'credit_note', 'voucher', 'payment', 'reminder', 'opening'));
create index ledger_entries_reverses on ledger_entries (account_id, reverses_guid) where reverses_guid is not null;

alter table ledger_books
  add column next_payment_number bigint not null default 1 check (next_payment_number > 0),
  add column next_reminder_number bigint not null default 1 check (next_reminder_number > 0),
  add column next_opening_number bigint not null default 1 check (next_opening_number > 0);

drop function take_numbers(uuid, uuid[], text[]);

-- Takes the next numbers of an account's books for documents that are not booked yet, and returns the first of each kind with
-- the end of the hash chain. The lock comes first: a statement that waits for it would not see what is booked meanwhile.
create function take_numbers(account uuid, guids uuid[], kinds text[])
returns table (entry_no bigint, invoice bigint, credit_note bigint, voucher bigint, payment bigint, reminder bigint,
  opening bigint, head_hash bytea, fresh bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from ledger_books b where b.account_id = account for no key update;
  return query
    update ledger_books b set next_entry_no = b.next_entry_no + f.entries,
      next_invoice_number = b.next_invoice_number + f.invoices,
      next_credit_note_number = b.next_credit_note_number + f.credit_notes,
      next_voucher_number = b.next_voucher_number + f.vouchers,
      next_payment_number = b.next_payment_number + f.payments,
      next_reminder_number = b.next_reminder_number + f.reminders,
      next_opening_number = b.next_opening_number + f.openings
    from (
      select count(*) as entries, count(*) filter (where a.kind = 'invoice') as invoices,
        count(*) filter (where a.kind = 'credit_note') as credit_notes,
        count(*) filter (where a.kind = 'voucher') as vouchers,
        count(*) filter (where a.kind = 'payment') as payments,
        count(*) filter (where a.kind = 'reminder') as reminders,
        count(*) filter (where a.kind = 'opening') as openings
      from unnest(guids, kinds) as a (guid, kind)
      where not exists (select from ledger_entries e where e.account_id = account and e.guid = a.guid)) as f
    where b.account_id = account
    returning b.next_entry_no - f.entries, b.next_invoice_number - f.invoices,
      b.next_credit_note_number - f.credit_notes, b.next_voucher_number - f.vouchers,
      b.next_payment_number - f.payments, b.next_reminder_number - f.reminders,
      b.next_opening_number - f.openings, b.head_hash, f.entries;
end
$$;

-- Only an invoice or a credit note may be without postings: one that is worth nothing in the currency of the books.
create or replace function require_balanced_entry() returns trigger language plpgsql as $$
declare total numeric; postings integer;
begin
  select coalesce(sum(amount), 0), count(*) into total, postings from ledger_postings
    where account_id = new.account_id and entry_no = new.entry_no;
  if total <> 0 then
    raise exception 'entry % does not balance: % in % postings', new.entry_no, total, postings
      using errcode = 'MB003';
  end if;
  -- Only a new entry can be without postings; the row of a posting has no kind.
  if postings = 0 then
    if new.kind not in ('invoice', 'credit_note') then
      raise exception 'entry % is a % without postings', new.entry_no, new.kind using errcode = 'MB003';
    end if;
  end if;
  return null;
end $$;

create or replace function refuse_unbalanced(entry_no bigint, total numeric) returns void language plpgsql as $$
begin
  if total <> 0 then
    raise exception 'entry % does not balance: %', entry_no, total using errcode = 'MB003';
  end if;
  raise exception 'entry % has no postings', entry_no using errcode = 'MB003';
end $$;

insert into ledger_accounts (account_id, number, name, type, standard_number, standard_version, vat_code)
select b.account_id, a.number, a.name, a.type, a.number, '2025-12', null
from ledger_books b cross join (values
  (1550, 'Rykkergebyrer', 'income'), (2390, 'Gebyrer', 'expense'), (3490, 'Renteindtægter', 'income')) as a (number, name, type)
on conflict (account_id, number) do nothing;

alter table configurations
  add column customer_credit_account integer,
  add column rounding_account integer,
  add column payment_fee_account integer,
  add column reminder_fee_account integer,
  add column interest_income_account integer,
  -- In hundredths of a unit of the payment's currency.
  add column payments_rounding_limit bigint not null default 100 check (payments_rounding_limit >= 0);

-- A role has no account where its number has another use: another type, another role, or sales.
update configurations c set
  customer_credit_account = case when c.contract_liability_account is distinct from 7410 then
    (select a.number from ledger_accounts a where a.account_id = c.account_id and a.number = 7410 and a.type = 'liability') end,
  rounding_account = (select a.number from ledger_accounts a
    where a.account_id = c.account_id and a.number = 2720 and a.type in ('expense', 'income')),
  payment_fee_account = (select a.number from ledger_accounts a
    where a.account_id = c.account_id and a.number = 2390 and a.type = 'expense'),
  reminder_fee_account = (select a.number from ledger_accounts a
    where a.account_id = c.account_id and a.number = 1550 and a.type = 'income'
      and c.default_revenue_account is distinct from 1550
      and not exists (select from products p where p.account_id = c.account_id and p.account_number = 1550)),
  interest_income_account = (select a.number from ledger_accounts a
    where a.account_id = c.account_id and a.number = 3490 and a.type = 'income'
      and c.default_revenue_account is distinct from 3490
      and not exists (select from products p where p.account_id = c.account_id and p.account_number = 3490));
