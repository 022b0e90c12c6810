-- Every change of a customer or product that a connected ledger keeps is queued for it, in the transaction that makes the
-- change, whoever makes it.

-- The row before its last change, as JSON; null for one that was created. A change that the ledger refuses while its
-- caller still waits is taken back to it.
alter table ledger_links add previous text;
-- Whether somebody was told that the last change stands: from then on a refusal is shown, and takes nothing back.
alter table ledger_links add is_answered boolean not null default false;

-- The request that made the change pushes it first; background work only what that has left.
create function queue_link() returns trigger language plpgsql as $$
begin
  insert into ledger_links as l (account_id, connection_id, kind, local_id, state, next_attempt_at)
  select new.account_id, c.id, tg_argv[0], new.id, 'queued', clock_timestamp() + interval '10 seconds'
  from ledger_connections c where c.account_id = new.account_id and c.is_current
  on conflict (account_id, connection_id, kind, local_id) do update set
    state = 'queued', version = l.version + 1, next_attempt_at = excluded.next_attempt_at, attempts = 0,
    reason = null, is_answered = false, previous = to_json(old)::text, updated_at = clock_timestamp();
  return null;
end $$;

create trigger customers_created_for_ledger after insert on customers
  for each row execute function queue_link('customer');
create trigger customers_changed_for_ledger after update on customers
  for each row when ((old.name, old.country_key, old.is_person, old.street, old.zip_code, old.city, old.phone, old.email,
    old.webpage, old.att_person, old.vat_number, old.se_number, old.p_number, old.ean_number, old.use_cvr,
    old.company_type_key, old.preferred_invoice_language_key, old.preferred_invoice_currency_key,
    old.external_id, old.external_reference, old.payment_condition_type, old.payment_condition_number_of_days,
    old.invoice_mail_out_option_key, old.active)
  is distinct from (new.name, new.country_key, new.is_person, new.street, new.zip_code, new.city, new.phone, new.email,
    new.webpage, new.att_person, new.vat_number, new.se_number, new.p_number, new.ean_number, new.use_cvr,
    new.company_type_key, new.preferred_invoice_language_key, new.preferred_invoice_currency_key,
    new.external_id, new.external_reference, new.payment_condition_type, new.payment_condition_number_of_days,
    new.invoice_mail_out_option_key, new.active))
  execute function queue_link('customer');

create trigger products_created_for_ledger after insert on products
  for each row execute function queue_link('product');
create trigger products_changed_for_ledger after update on products
  for each row when ((old.product_number, old.name, old.account_number, old.unit, old.default_price, old.quantity,
    old.comments, old.external_reference, old.active)
  is distinct from (new.product_number, new.name, new.account_number, new.unit, new.default_price, new.quantity,
    new.comments, new.external_reference, new.active))
  execute function queue_link('product');
