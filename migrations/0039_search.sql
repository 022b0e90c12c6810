-- Things are found by what they are called, word by word, and documents by their amounts (src/features/search).

-- The words of a text as they are looked for: in lower case, of letters and digits, what stands between them apart.
create function words_of(said text) returns text[] language sql immutable parallel safe as $$
  select array_remove(string_to_array(regexp_replace(lower(left(said, 1000)), '[^[:alnum:]]+', ' ', 'g'), ' '), '')
$$;

-- Which things have a word in their name. Rows come and go with what has the name, whoever stores it.
create table search_words (
  account_id uuid not null,
  kind text not null check (kind in ('customer', 'invoice', 'product')),
  -- In the order of bytes: words that begin alike stand together, in any locale.
  word text collate "C" not null,
  id uuid not null,
  primary key (account_id, kind, word, id)
);

create function keep_words() returns trigger language plpgsql as $$
declare
  is_gone boolean := tg_op <> 'INSERT';
  is_there boolean := tg_op <> 'DELETE';
  words_before text[] := '{}';
  words_now text[] := '{}';
  of_kind text := tg_argv[0];
begin
  if of_kind = 'invoice' then
    if is_gone then words_before := words_of(old.title); end if;
    if is_there then words_now := words_of(new.title); end if;
  elsif of_kind = 'customer' then
    if is_gone then words_before := words_of(customer_said(old.name, old.vat_number, old.external_id)); end if;
    if is_there then words_now := words_of(customer_said(new.name, new.vat_number, new.external_id)); end if;
  else
    if is_gone then words_before := words_of(concat_ws(' ', old.name, old.product_number)); end if;
    if is_there then words_now := words_of(concat_ws(' ', new.name, new.product_number)); end if;
  end if;
  if is_gone then
    delete from search_words s
      where s.account_id = old.account_id and s.kind = of_kind and s.id = old.id and s.word = any(words_before);
  end if;
  if is_there then
    insert into search_words (account_id, kind, word, id)
      select distinct new.account_id, of_kind, w, new.id from unnest(words_now) w;
  end if;
  return null;
end $$;

-- The number of a Danish firm is also found without the country before it.
create function customer_said(name text, vat_number text, external_id text) returns text
language sql immutable parallel safe as $$
  select concat_ws(' ', name, vat_number, substring(vat_number from '^[A-Za-z]{2}\s*(\d+)$'), external_id)
$$;

create trigger invoices_named after insert on invoices
  for each row when (new.title is not null) execute function keep_words('invoice');
create trigger invoices_renamed after update of title on invoices
  for each row when (old.title is distinct from new.title) execute function keep_words('invoice');
create trigger invoices_forgotten after delete on invoices
  for each row when (old.title is not null) execute function keep_words('invoice');
create trigger customers_named after insert or delete on customers
  for each row execute function keep_words('customer');
create trigger customers_renamed after update of name, vat_number, external_id on customers
  for each row when ((old.name, old.vat_number, old.external_id) is distinct from (new.name, new.vat_number, new.external_id))
  execute function keep_words('customer');
create trigger products_named after insert or delete on products
  for each row execute function keep_words('product');
create trigger products_renamed after update of name, product_number on products
  for each row when ((old.name, old.product_number) is distinct from (new.name, new.product_number))
  execute function keep_words('product');

insert into search_words (account_id, kind, word, id)
  select distinct account_id, 'invoice', w, id from invoices, unnest(words_of(title)) w
  union all
  select distinct account_id, 'customer', w, id
    from customers, unnest(words_of(customer_said(name, vat_number, external_id))) w
  union all
  select distinct account_id, 'product', w, id from products, unnest(words_of(concat_ws(' ', name, product_number))) w
  order by 1, 2, 3, 4;

-- What a document comes to, without and with VAT, as its frozen snapshot says: read here, no snapshot has to be.
alter table issued_documents add column net money_minor, add column gross money_minor;
alter table issued_documents disable trigger issued_documents_append_only;
update issued_documents set
  net = rtrim(snapshot::json #>> '{totals,net}', 'n')::bigint,
  gross = rtrim(snapshot::json #>> '{totals,gross}', 'n')::bigint;
alter table issued_documents enable trigger issued_documents_append_only;
create index issued_documents_net on issued_documents (account_id, kind, net, document_id);
create index issued_documents_gross on issued_documents (account_id, kind, gross, document_id);
