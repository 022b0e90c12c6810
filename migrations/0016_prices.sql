-- A price has a currency: products have prices in others than that of the books, and a line knows whether its price is its
-- product's.

-- Prices in other currencies than the functional one: `[{"currency": "EUR", "amount": "26800000"}]`, amounts as text in
-- 1/10000. No currency twice, and none that default_price has.
alter table products add column prices json not null default '[]';

-- Whether the agreed value (by hours: the hourly rate) was taken from the product. Of older lines nobody knows: they
-- count as if their price had been sent.
alter table invoice_lines add column price_from_product boolean not null default false;
