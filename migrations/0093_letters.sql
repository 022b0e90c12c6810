-- Letters to customers are frozen beside documents: statements of account, and reminders, which may have no number.
alter table issued_documents drop constraint issued_documents_kind_check;
alter table issued_documents add constraint issued_documents_kind_check
  check (kind in ('invoice', 'credit_note', 'statement', 'reminder'));
alter table issued_documents alter column number drop not null;
alter table issued_documents add check (number is not null or kind in ('statement', 'reminder'));

-- The statements of account that were made for a customer, as lists show them: without their lines.
create table customer_statements (
  account_id uuid not null references accounts,
  id uuid not null,
  customer_id uuid not null,
  document text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, id) references issued_documents (account_id, document_id),
  foreign key (account_id, customer_id) references customers (account_id, id)
);
create index customer_statements_of_customer on customer_statements (account_id, customer_id, id);
create trigger customer_statements_append_only before update or delete on customer_statements
  for each row execute function refuse_change();
create trigger customer_statements_no_truncate before truncate on customer_statements execute function refuse_change();
