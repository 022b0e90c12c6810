-- Which customer each event concerns, so that programs can follow one. It follows from the event and is not hashed.
alter table deliveries add column customer_id uuid;
update deliveries d set customer_id = i.customer_id from invoices i
  where i.account_id = d.account_id and i.id = d.document_id;
update deliveries d set customer_id = i.customer_id from credit_notes n
  join invoices i on i.account_id = n.account_id and i.id = n.invoice_id
  where n.account_id = d.account_id and n.id = d.document_id;
update deliveries d set customer_id = s.customer_id from customer_statements s
  where s.account_id = d.account_id and s.id = d.document_id;
update deliveries d set customer_id = r.customer_id from reminders r
  where r.account_id = d.account_id and r.id = d.document_id;

alter table audit_events add column customer_id uuid;
alter table audit_events disable trigger audit_events_append_only;
update audit_events e set customer_id = e.resource_id::uuid where e.resource_type = 'customer';
update audit_events e set customer_id = (p.payload #>> array[p.side, 'customer_id'])::uuid
  from (select q.account_id, q.seq, q.payload::json as payload,
      case when q.payload::json ->> 'after' is null then 'before' else 'after' end as side
    from audit_events q where q.resource_type <> 'customer' and position('"customer_id":"' in q.payload) > 0) p
  where p.account_id = e.account_id and p.seq = e.seq;
update audit_events e set customer_id = s.customer_id from recurring_series s
  where e.resource_type = 'occurrence' and s.account_id = e.account_id and s.id::text = split_part(e.resource_id, '/', 1);
update audit_events e set customer_id = d.customer_id from deliveries d
  where e.resource_type = 'delivery' and d.account_id = e.account_id and d.id::text = e.resource_id;
update audit_events e set customer_id = i.customer_id from invoice_lines l
  join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
  where e.resource_type = 'invoice_line' and l.account_id = e.account_id and l.id::text = e.resource_id;
alter table audit_events enable trigger audit_events_append_only;
create index audit_events_customer on audit_events (account_id, customer_id, seq) where customer_id is not null;
