-- A credit note is never dated before its invoice. What is booked stays as it was booked; what still waits for its
-- booking gets the date that it will have, unless the booking is under way with what was frozen for it.
update credit_notes n set credit_date = i.issue_date
from invoices i
where i.account_id = n.account_id and i.id = n.invoice_id and n.status = 'draft' and n.credit_date < i.issue_date
  and not exists (select from intents t where t.account_id = n.account_id and t.id = n.id);

-- The date stands on the resource.
update credit_notes set document = left(document, -1) || ',"credit_date":"' || to_char(credit_date, 'YYYY-MM-DD') || '"}';
