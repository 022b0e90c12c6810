-- What a register said of a receiver of e-invoices. A hint that is asked for again after a day: nothing refers to it.
create table einvoice_lookups (
  account_id uuid not null references accounts,
  -- In lower case: addresses that differ in case alone are one receiver.
  address text not null check (address = lower(address) and length(address) between 6 and 130),
  registered text not null check (registered in ('yes', 'no', 'unknown')),
  formats text[] not null,
  answers boolean not null,
  source text not null,
  looked_up_at timestamptz not null,
  primary key (account_id, address)
);
