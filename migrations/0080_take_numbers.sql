-- Takes the next numbers of an account's books for documents that are not booked yet, and returns the first of each kind with
-- the end of the hash chain. The lock comes first: a statement that waits for it would not see what is booked meanwhile.
create function take_numbers(account uuid, guids uuid[], kinds text[])
returns table (entry_no bigint, invoice bigint, credit_note bigint, voucher bigint, head_hash bytea, fresh bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from ledger_books b where b.account_id = account for no key update;
  return query
    update ledger_books b set next_entry_no = b.next_entry_no + f.entries,
      next_invoice_number = b.next_invoice_number + f.invoices,
      next_credit_note_number = b.next_credit_note_number + f.credit_notes,
      next_voucher_number = b.next_voucher_number + f.vouchers
    from (
      select count(*) as entries, count(*) filter (where a.kind = 'invoice') as invoices,
        count(*) filter (where a.kind = 'credit_note') as credit_notes,
        count(*) filter (where a.kind = 'voucher') as vouchers
      from unnest(guids, kinds) as a (guid, kind)
      where not exists (select from ledger_entries e where e.account_id = account and e.guid = a.guid)) as f
    where b.account_id = account
    returning b.next_entry_no - f.entries, b.next_invoice_number - f.invoices,
      b.next_credit_note_number - f.credit_notes, b.next_voucher_number - f.vouchers, b.head_hash, f.entries;
end
$$;
