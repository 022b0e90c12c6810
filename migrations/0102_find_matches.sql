-- Finds what bank lines may pay without reading all that is open, and the customer of a counterparty without reading all lines.
create index open_items_number on open_items (account_id, number) where open > 0;
create index open_items_amount on open_items (account_id, open) where open > 0;
create index bank_lines_counterparty on bank_lines (account_id, counterparty_account) where payment_id is not null;

-- Reads the entries of all guids at once: one search for each is slow while the statistics of a growing table are old.
create or replace function take_numbers(account uuid, guids uuid[], kinds text[])
returns table (entry_no bigint, invoice bigint, credit_note bigint, voucher bigint, payment bigint, reminder bigint,
  opening bigint, head_hash bytea, fresh bigint)
language plpgsql as $$
#variable_conflict use_column
declare known uuid[];
begin
  perform 1 from ledger_books b where b.account_id = account for no key update;
  known := array(select e.guid from ledger_entries e where e.account_id = account and e.guid = any(guids));
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
      where a.guid <> all(known)) as f
    where b.account_id = account
    returning b.next_entry_no - f.entries, b.next_invoice_number - f.invoices,
      b.next_credit_note_number - f.credit_notes, b.next_voucher_number - f.vouchers,
      b.next_payment_number - f.payments, b.next_reminder_number - f.reminders,
      b.next_opening_number - f.openings, b.head_hash, f.entries;
end
$$;
