-- Answers to e-invoices as they arrived, each once: by the id of its envelope, else by its bytes.
create table einvoice_inbound (
  account_id uuid not null,
  identity bytea not null check (length(identity) = 32),
  delivery_id uuid not null,
  -- `refused`: its sender is not the receiver of the delivery.
  outcome text not null check (outcome in ('stored', 'refused')),
  content bytea not null,
  received_at timestamptz not null,
  primary key (account_id, identity),
  foreign key (account_id, delivery_id) references deliveries (account_id, id)
);
create trigger einvoice_inbound_append_only before update or delete on einvoice_inbound
  for each row execute function refuse_change();
create trigger einvoice_inbound_no_truncate before truncate on einvoice_inbound execute function refuse_change();
