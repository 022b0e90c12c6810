/** What becomes of a call of a ledger outside of our database, whatever was asked for. */

export type DocumentKind = "invoice" | "credit_note" | "voucher";

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Whether somebody waits for the answer: then the call goes before those that nobody waits for. */
  readonly urgency?: "interactive" | "bulk";
  /**
   * Asked right before the request that books: false where another attempt has taken over, which may book under another
   * guid. Absent where there is no other attempt.
   */
  readonly mayBook?: () => Promise<boolean>;
  /** Told of each request that was made, or that was to be made, as it ended. */
  readonly told?: (call: LedgerCall) => void;
}

/** One request to a ledger, for the record: without ids, content and secrets. */
export interface LedgerCall {
  /** `POST invoices/book`, `account.invoice.post`. */
  readonly verb: string;
  /** Of HTTP; null without an answer. */
  readonly status: number | null;
  /** `answered`, or why not: `not_sent:rate_limited`, `lost:timeout`. */
  readonly outcome: string;
  /** From when it was asked for, with its wait for its turn. */
  readonly ms: number;
}

export type RejectCode =
  | "VALIDATION"
  | "UNKNOWN_ACCOUNT"
  | "UNKNOWN_VAT_CODE"
  | "UNKNOWN_CUSTOMER"
  | "PERIOD_LOCKED"
  | "NO_FISCAL_YEAR"
  | "DATE_BEFORE_LAST_NUMBER"
  | "NUMBER_TAKEN"
  | "TOTAL_MISMATCH"
  | "GUID_CONFLICT"
  | "CREDITED_DOCUMENT_NOT_BOOKED"
  /** The ledger tells no exchange rate, and neither does the document. */
  | "RATE_MISSING"
  | "NOT_ALLOWED";

/** Why a ledger was not asked, or gave no answer that says what became of it. */
type Unclear =
  | "unavailable"
  | "timeout"
  | "connection_lost"
  | "bad_response"
  | "rate_limited"
  | "lock_contention"
  | "stale_version";

export interface Rejected {
  readonly state: "rejected";
  readonly code: RejectCode;
  /** What the ledger said of fields, by their names there; for the log and for `details`, never trusted as markup. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether something else is booked under the guid: of a conflict alone. */
  readonly is_booked?: boolean;
  readonly cause?: unknown;
}

export interface NotStarted {
  readonly state: "not_started";
  readonly reason?: Unclear;
  readonly retry_after_ms?: number;
  readonly cause?: unknown;
}

export interface Unknown {
  readonly state: "unknown";
  readonly reason?: Unclear;
  readonly cause?: unknown;
}

/** The connection does not work any more: its queue stands still until an admin has looked. */
export interface Unauthorized {
  readonly state: "unauthorized";
  readonly reason?: "credentials" | "subscription";
  readonly cause?: unknown;
}

/** What did not happen, or is not known to have happened, whatever was asked for. */
export type Failure = NotStarted | Unknown | Unauthorized;
