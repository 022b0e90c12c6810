-- Locks what decides a new credit note, in the order of all transactions: the invoice, which its id or its external id names; the
-- credit note that has the external id already; and, shared, the configuration. A statement that follows sees what was committed
-- while one of these locks was waited for.
create function lock_credit(account uuid, by_id uuid, by_external_id text, note_external_id text) returns void
language plpgsql as $$
begin
  if by_id is null then
    perform 1 from invoices e where e.account_id = account and e.external_id = by_external_id for no key update of e;
  else
    perform 1 from invoices i where i.account_id = account and i.id = by_id for no key update of i;
  end if;
  perform 1 from credit_notes n where n.account_id = account and n.external_id = note_external_id for no key update of n;
  perform 1 from configurations c where c.account_id = account for share of c;
end
$$;
