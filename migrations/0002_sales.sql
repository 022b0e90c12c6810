-- Customers, products, invoices and what an issue leaves behind.

create table customers (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  name text not null,
  country_key text not null,
  is_person boolean not null,
  send_method text not null check (send_method in ('email', 'einvoice')),
  street text,
  zip_code text,
  city text,
  phone text,
  email text,
  webpage text,
  att_person text,
  vat_number text,
  se_number text,
  p_number text,
  ean_number text,
  use_cvr boolean not null,
  company_type_key text,
  preferred_invoice_language_key text,
  preferred_invoice_currency_key text,
  external_reference text,
  payment_condition_type text,
  payment_condition_number_of_days integer,
  invoice_mail_out_option_key text,
  payment_mean text,
  active boolean not null default true,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id)
);
create index customers_active on customers (account_id, id) where active;
create index customers_updated on customers (account_id, updated_at, id);

create table products (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  product_number text,
  name text not null,
  account_number integer not null,
  unit text not null,
  -- 1/10000 of a currency unit, so that a price can be an hourly rate.
  default_price bigint not null check (default_price >= 0),
  -- 1/100 of the unit.
  quantity bigint not null check (quantity > 0),
  comments text,
  external_reference text,
  request_hash bytea,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  unique (account_id, product_number)
);
create index products_updated on products (account_id, updated_at, id);

create table invoices (
  account_id uuid not null references accounts,
  id uuid not null,
  external_id text,
  customer_id uuid not null,
  currency text not null,
  issue_date date,
  title text,
  auto_send boolean not null,
  status text not null check (status in ('draft', 'issued')),
  ledger_invoice_guid uuid,
  ledger_invoice_number bigint,
  issued_at timestamptz,
  request_hash bytea,
  document text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, external_id),
  unique (account_id, ledger_invoice_guid),
  unique (account_id, ledger_invoice_number),
  foreign key (account_id, customer_id) references customers (account_id, id),
  -- Issued means booked: date, guid, number and time come together or not at all.
  check ((status = 'issued') = (ledger_invoice_guid is not null)),
  check ((status = 'issued') = (ledger_invoice_number is not null)),
  check ((status = 'issued') = (issued_at is not null)),
  check (status = 'draft' or issue_date is not null)
);
create index invoices_customer on invoices (account_id, customer_id, id);
create index invoices_customer_updated on invoices (account_id, customer_id, updated_at, id);
create index invoices_updated on invoices (account_id, updated_at, id);
create index invoices_draft on invoices (account_id, id) where status = 'draft';
create index invoices_customer_draft on invoices (account_id, customer_id, id) where status = 'draft';

create table invoice_lines (
  account_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  product_id uuid not null,
  recognition_method text not null
    check (recognition_method in ('value', 'hours', 'progress', 'milestone', 'on_issue')),
  agreed_value money_minor check (agreed_value between 0 and 1000000000000),
  -- 1/10000 of a currency unit.
  hourly_rate bigint check (hourly_rate >= 0),
  -- Hundredths of a percent.
  discount integer not null check (discount between 0 and 10000),
  description_override text,
  position bigint not null check (position >= 1),
  -- [{user_id, distribution_percentage (1/100 %), hourly_rate_override (1/10000, as text)}], in the order sent.
  assignees json not null,
  service_from date,
  service_to date,
  -- 1/100 of an hour.
  budget_hours integer check (budget_hours > 0),
  product_name text not null,
  product_number text,
  account_number integer not null,
  unit text not null,
  -- Written by the issue and frozen with it; null on drafts.
  amount money_minor,
  amount_functional money_minor,
  vat_code text,
  primary key (account_id, id),
  foreign key (account_id, invoice_id) references invoices (account_id, id) on delete cascade,
  foreign key (account_id, product_id) references products (account_id, id),
  check ((service_from is null) = (service_to is null)),
  check (service_from <= service_to)
);
create index invoice_lines_invoice on invoice_lines (account_id, invoice_id, position);
create index invoice_lines_product on invoice_lines (account_id, product_id);

-- Who is assigned to a line, so that a foreign user cannot be named and a person's work is found.
create table invoice_line_assignees (
  account_id uuid not null,
  line_id uuid not null,
  user_id uuid not null,
  primary key (account_id, line_id, user_id),
  foreign key (account_id, line_id) references invoice_lines (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id)
);
create index invoice_line_assignees_user on invoice_line_assignees (account_id, user_id, line_id);

-- Issued invoices and their lines are frozen, whatever code asks.
create function refuse_change_of_issued_invoice() returns trigger language plpgsql as $$
begin
  if old.status = 'issued' then
    raise exception 'invoice % is issued', old.id using errcode = 'MB002';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger invoices_frozen before update or delete on invoices
  for each row execute function refuse_change_of_issued_invoice();

create function refuse_issued_invoice(account uuid, invoice uuid) returns void language plpgsql as $$
begin
  perform 1 from invoices i where i.account_id = account and i.id = invoice and i.status = 'issued';
  if found then
    raise exception 'invoice % is issued', invoice using errcode = 'MB002';
  end if;
end $$;

create function refuse_change_of_issued_lines() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform refuse_issued_invoice(old.account_id, old.invoice_id);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and (new.account_id, new.invoice_id) <> (old.account_id, old.invoice_id)) then
    perform refuse_issued_invoice(new.account_id, new.invoice_id);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger invoice_lines_frozen before insert or update or delete on invoice_lines
  for each row execute function refuse_change_of_issued_lines();
