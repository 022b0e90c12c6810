-- What an invoice prints besides who, what and how much: references of the buyer, a text under the lines, a specification
-- of hours, and the logo of the seller.

-- Null: nothing is said here. An invoice's own value overrules the series', that the customer's.
alter table customers add column buyer_reference text;
alter table customers add column order_reference text;
alter table customers add column hours_specification boolean;

-- `{buyer_reference, order_reference, footer, hours_specification}`, each only where it is given. Nothing is found by it.
alter table invoices add column printed json not null default '{}';
alter table recurring_series add column printed json not null default '{}';

-- Every logo that a seller ever had, under its hash: the frozen snapshot of a document names the very bytes that it was
-- issued with. Which one is used now stands in the seller of the configuration.
create table seller_logos (
  account_id uuid not null references accounts,
  sha256 bytea not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  width integer not null check (width between 1 and 2000),
  height integer not null check (height between 1 and 2000),
  content bytea not null check (length(content) <= 300000),
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, sha256),
  check (sha256 = sha256(content))
);
create trigger seller_logos_append_only before update or delete on seller_logos
  for each row execute function refuse_change();
create trigger seller_logos_no_truncate before truncate on seller_logos execute function refuse_change();
