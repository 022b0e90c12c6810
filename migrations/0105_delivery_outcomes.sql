-- What becomes of a delivery after it was handed over: its receiver has it, refused it, or answered it; and everything that
-- happened to it, oldest first.
alter table deliveries drop constraint deliveries_state_check;
alter table deliveries add constraint deliveries_state_check check (state in ('queued', 'sending', 'written_to_outbox',
  'accepted', 'delivered', 'rejected', 'failed_temporary', 'failed_permanent', 'unknown'));
-- The syntax of an e-invoice and the hash of its file, hexadecimal; null for an e-mail and before the file is made.
alter table deliveries add column format text;
alter table deliveries add column file_sha256 text;
alter table deliveries add column delivered_at timestamptz;
-- The newest answer of the buyer as the API shows it, JSON, and its code.
alter table deliveries add column response text;
alter table deliveries add column response_code text;
create index deliveries_response on deliveries (account_id, response_code, id) where response_code is not null;

create table delivery_events (
  account_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('queued', 'made', 'validated', 'handed_over', 'looked', 'delivered', 'rejected', 'failed',
    'response', 'resolved', 'sent_again')),
  code text,
  text text,
  source text not null check (source in ('us', 'engine', 'receiver', 'person')),
  primary key (account_id, delivery_id, id),
  foreign key (account_id, delivery_id) references deliveries (account_id, id)
);
create trigger delivery_events_append_only before update or delete on delivery_events
  for each row execute function refuse_change();
create trigger delivery_events_no_truncate before truncate on delivery_events execute function refuse_change();
