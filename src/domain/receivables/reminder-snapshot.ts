/** A reminder as it was sent, frozen: only it determines the PDF (spec 13.7). */
import type { CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import type { DocumentSnapshot, PaymentCodes } from "../sales/document.ts";

/** An item that a reminder lists. Amounts are minor units of the letter's currency. */
export interface ListedItem {
  readonly id: string;
  readonly kind: "invoice" | "opening";
  readonly number: string;
  readonly due_date: CalendarDate;
  /** What was open at the end of the reminder's day; 0 for an item of which only interest is owed. */
  readonly open: Money;
  readonly days_overdue: number;
  readonly interest: Money;
  readonly compensation: Money;
  /** Whether the reminder was the item's next one. */
  readonly counts: boolean;
}

export interface ReminderSnapshot
  extends Pick<
    DocumentSnapshot,
    | "document_id"
    | "account_name"
    | "seller"
    | "customer"
    | "language"
    | "currency"
    | "currency_digits"
  > {
  readonly kind: "reminder";
  readonly issue_date: CalendarDate;
  readonly due_date: CalendarDate;
  readonly level: number;
  /** The account's own text of the level; null for the usual one. */
  readonly text: string | null;
  readonly items: readonly ListedItem[];
  readonly fee: Money;
  readonly interest: Money;
  readonly compensation: Money;
  /** What is open and what the reminder charges. */
  readonly total: Money;
  /** What is posted of fee and compensation, and of the interest, in minor units of the functional currency. */
  readonly posted: { readonly charges: Money; readonly interest: Money };
  /** Null for one that charges nothing. */
  readonly payment_codes: PaymentCodes | null;
}
