-- The number of a voucher, too, is the only one within the connection and the year that gave it.
create unique index accrual_bookings_ledger_number
  on accrual_bookings (account_id, voucher_number, ledger_connection_id, voucher_year)
  nulls not distinct where voucher_number is not null and ledger_connection_id is not null;
