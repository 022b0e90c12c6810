/** Entries of payments, reminders and opening items for tests, booked in the built-in ledger of a world's account. */
import type { AccountId } from "../../../src/domain/base/brand.ts";
import type { CalendarDate } from "../../../src/domain/base/calendar.ts";
import { ACCOUNT_ROLES, RECEIVABLES } from "../../../src/ledger/connectors/builtin/chart.ts";
import { builtinLedger } from "../../../src/ledger/connectors/builtin/connector.ts";
import type { BookOutcome, JournalBooking } from "../../../src/ledger/ledger.ts";
import { transaction } from "../../../src/platform/database/transaction.ts";
import { newId } from "../../../src/platform/runtime/id.ts";
import { sha256 } from "../../../src/platform/runtime/json.ts";
import type { World } from "../world/world.ts";

/** The account of the bank in the chart. */
export const BANK = 6480;

export type Postings = readonly (readonly [
  account_number: number,
  amount: bigint,
  currency_amount?: bigint,
])[];

/** A booking of postings in minor units; the customer stands on receivables and on customer credit. */
export function journalBooking(
  kind: JournalBooking["kind"],
  customer_id: string,
  postings: Postings,
  change: Partial<JournalBooking["document"]> = {},
): JournalBooking {
  const of_customer: readonly number[] = [RECEIVABLES, ACCOUNT_ROLES.customer_credit];
  const document: JournalBooking["document"] = {
    kind,
    issue_date: "2026-03-01" as CalendarDate,
    text: `A ${kind}`,
    currency: "DKK",
    rate_micro: null,
    reverses_guid: null,
    postings: postings.map(([account_number, amount, currency_amount = amount]) => ({
      account_number,
      amount,
      currency_amount,
      customer_id: of_customer.includes(account_number) ? customer_id : null,
    })),
    ...change,
  };
  const payload_hash = sha256(`${kind} ${postings.join()}`);
  return { kind, guid: newId(), payload_hash, requested_by: "api_key:test", document };
}

/** What pays so much of a receivable, in minor units. */
export function paid(amount: bigint): Postings {
  return [
    [BANK, amount],
    [RECEIVABLES, -amount],
  ];
}

/** Books in one transaction, in the order given. */
export function bookEntries(
  world: World,
  ...bookings: readonly JournalBooking[]
): Promise<BookOutcome[]> {
  const ledger = builtinLedger;
  if (!ledger.transactional) throw new Error("the built-in ledger is transactional");
  const account_id = world.account.account_id as AccountId;
  return transaction(world.db, (tx) => ledger.within(tx, account_id).ensureBooked(bookings));
}
