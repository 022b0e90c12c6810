-- A customer is in the view of the person who made it, before an invoice to it has a line of theirs. Null for customers made
-- by a key or by the command line.
alter table customers add column created_by uuid;
update customers c set created_by = e.actor_id::uuid
  from audit_events e
  where e.account_id = c.account_id and e.resource_type = 'customer' and e.resource_id = c.id::text
    and e.action = 'created' and e.actor_kind = 'user';
alter table customers add foreign key (account_id, created_by) references users (account_id, id);
create index customers_created_by on customers (account_id, created_by, id) where created_by is not null;
