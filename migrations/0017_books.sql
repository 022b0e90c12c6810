-- A credit note is never dated before its invoice. What is booked stays as it was booked; what still waits for its
-- booking gets the date that it will have, unless the booking is under way with what was frozen for it.
update credit_notes n set credit_date = i.issue_date
from invoices i
where i.account_id = n.account_id and i.id = n.invoice_id and n.status = 'draft' and n.credit_date < i.issue_date
  and not exists (select from intents t where t.account_id = n.account_id and t.id = n.id);

-- The date stands on the resource.
update credit_notes set document = left(document, -1) || ',"credit_date":"' || to_char(credit_date, 'YYYY-MM-DD') || '"}';

-- A document that is worth nothing in the currency of the books keeps its number, its place in the journal and its hash,
-- without postings; only a voucher must have some. A single posting cannot balance, because none is of 0.
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
    if new.kind = 'voucher' then
      raise exception 'entry % is a voucher without postings', new.entry_no using errcode = 'MB003';
    end if;
  end if;
  return null;
end $$;
