-- $1 account, $2 customer, $3 product, $4 number of invoices: drafts with five lines, as the service stores them.
with made as (
  select gen_random_uuid() as random_id, n from generate_series(1, $4::int) n
), ids as (
  -- Ids in the order of n, in the form of UUIDv7, so that a list reads them like those of the service.
  select n, ('0190a000-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8'
    || substr(random_id::text, 21, 3) || '-' || lpad(to_hex(n), 12, '0'))::uuid as id, random_id
  from made
), stored as (
  insert into invoices (account_id, id, customer_id, currency, title, auto_send, status, document, updated_at)
  select $1, id, $2, 'DKK', 'Invoice ' || n, false, 'draft',
    replace(json_build_object('object', 'invoice', 'id', id, 'external_id', null, 'customer_id', $2::uuid,
      'currency', 'DKK', 'issue_date', null, 'title', 'Invoice ' || n, 'auto_send', false,
      'status', 'draft', 'ledger_invoice_guid', null, 'ledger_invoice_number', null, 'issued_at', null,
      'lines', (select json_agg(json_build_object('id', random_id, 'product_id', $3::uuid,
        'recognition_method', 'value', 'agreed_value', 1000 + l, 'hourly_rate', null, 'discount', 0,
        'description_override', null, 'position', l, 'assignees', json_build_array()))
        from generate_series(1, 5) l))::text, E'\n', ''),
    now() - make_interval(secs => $4::int - n)
  from ids returning id)
select count(*)::int as stored from stored
