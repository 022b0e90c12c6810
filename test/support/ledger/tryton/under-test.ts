/** Accounts of Matchbook, mapped to accounts with the same numbers in the books of the tests, and the bookings on them. */
import { bookingsOn, mapped } from "../bookings.ts";

export const accounts = [
  mapped(1010, "DK25", "1010", "U25"),
  mapped(1150, "EU_SERVICES_RC", "1150", "U0"),
  mapped(8070, null, "8070"),
];

export const { invoice, voucher } = bookingsOn(accounts);
