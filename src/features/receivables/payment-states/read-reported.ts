/** Reads what a connected ledger reported of an invoice that it booked, for its page (spec 13.9). The ledger is not asked for it. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import {
  type ReportedPayment,
  reportedPaymentOn,
} from "../../../domain/receivables/ledger-payment.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { findLedgerItems } from "../ledger-items/queries.ts";

/** What is known of the payment of an invoice. */
export interface Reported {
  /** Null where the ledger has not reported it. */
  readonly payment: ReportedPayment | null;
  /** When what is shown was known; null before the first answer. */
  readonly as_of: Timestamp | null;
}

/** Returns what the ledger reported of an invoice, on the present day; null where no connected ledger booked it, and where it charges nothing. */
export async function readReported(
  cx: Reader,
  id: string,
  today: CalendarDate,
): Promise<Reported | null> {
  const [item] = await findLedgerItems(cx, sql`i.id = ${id}`);
  if (item === undefined) return null;
  return { payment: reportedPaymentOn(item, today), as_of: item.as_of };
}
