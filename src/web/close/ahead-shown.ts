/** The bookings of a month before its close, in the form that travels to the browser: amounts are text in minor units. */
import type { Month } from "../../domain/base/calendar.ts";
import type { AccrualRole } from "../../domain/revenue/accrual.ts";
import type { ExplainedProgress } from "../../domain/revenue/explanation.ts";
import type { RecognitionMethod } from "../../domain/sales/line.ts";
import type { Refusal } from "../words/refusal.ts";

/** The place of a line: its invoice, or the period of a retainer that has no invoice yet. */
interface PlaceShown {
  readonly line_id: string;
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly period: string | null;
  /** The printed text of the line; null for a removed line. */
  readonly text: string | null;
}

/** A posting of a voucher: debit above 0. */
export interface EntryShown {
  readonly role: AccrualRole;
  readonly account_number: number | null;
  readonly amount: string;
}

export interface LineShown extends PlaceShown {
  readonly method: RecognitionMethod | null;
  readonly progress: ExplainedProgress | null;
  readonly since: Month;
  /** Earned less invoiced: what the voucher moves for the line. */
  readonly moved: string;
}

export interface VoucherShown {
  readonly customer_id: string;
  readonly customer: string;
  readonly entries: readonly EntryShown[];
  readonly lines: readonly LineShown[];
  readonly more_lines: number;
}

export interface UnassignedShown extends PlaceShown {
  readonly customer_id: string;
  readonly customer: string;
  readonly currency: string;
  readonly amount: string;
  /** Whether its people can still be chosen: on a draft, or in an open period of a retainer. */
  readonly is_open: boolean;
}

/** A refusal that a person reads, with the month or the customer that it is about. */
export interface RefusedShown {
  readonly refusal: Refusal;
  readonly customer_id: string | null;
  readonly customer: string | null;
  /** The earlier open month of EARLIER_PERIOD_OPEN. */
  readonly month: string | null;
}

/** What the month becomes; the balances of the month before stand beside its own. */
export interface BecomesShown {
  readonly earned: string;
  readonly invoiced: string;
  readonly asset: string;
  readonly liability: string;
  readonly asset_before: string;
  readonly liability_before: string;
}

export interface MonthAheadShown {
  readonly month: Month;
  readonly currency: string;
  readonly with_voucher: number;
  readonly without_voucher: number;
  /** Customers with nothing to book; the number of customers that were not checked. */
  readonly skipped: number;
  readonly remaining: number;
  readonly vouchers: readonly VoucherShown[];
  readonly entries: readonly EntryShown[];
  readonly blockers: readonly RefusedShown[];
  readonly warnings: readonly { readonly code: WarningCode; readonly count: number }[];
  readonly failed: number;
  readonly refused: readonly RefusedShown[];
  readonly unassigned: number;
  readonly unassigned_lines: readonly UnassignedShown[];
  /** Null where a closing rate is missing. */
  readonly becomes: BecomesShown | null;
  /** A digest of what would be booked and of the warnings: the confirmation sends it back. */
  readonly agreed: string;
}

export type WarningCode =
  | "UNISSUED_OVERDUE"
  | "FAILED_OCCURRENCES"
  | "QUEUED_CREDIT_NOTES"
  | "DRAFT_SERIES_STARTED"
  | "UNASSIGNED_REVENUE"
  | "BANK_LINES_OPEN";
