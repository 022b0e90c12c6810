/** A statement of account as it was sent, frozen: only it determines the PDF (spec 13.8). */
import type { CalendarDate } from "../base/calendar.ts";
import type { DocumentSnapshot } from "../sales/document.ts";
import type { AccountStatement } from "./account-statement.ts";
import type { ReminderSnapshot } from "./reminder-snapshot.ts";

export interface StatementSnapshot
  extends AccountStatement,
    Pick<
      DocumentSnapshot,
      | "document_id"
      | "account_name"
      | "seller"
      | "customer"
      | "language"
      | "currency"
      | "currency_digits"
    > {
  readonly kind: "statement";
  /** The day on which it was made, by the account's clock. */
  readonly issue_date: CalendarDate;
  /** The first and the last day of the period. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Any frozen paper: a document that was booked, or a letter to a customer. */
export type PaperSnapshot = DocumentSnapshot | StatementSnapshot | ReminderSnapshot;

/** A frozen paper with its number; a letter may have none. */
export interface IssuedPaper {
  readonly snapshot: PaperSnapshot;
  readonly number: bigint | null;
}
