/** Defines the outcomes that every call of a ledger outside of our database can have. */

export type DocumentKind = "invoice" | "credit_note" | "voucher";

export interface CallOptions {
  readonly signal: AbortSignal;
  /** `interactive` when a caller waits for the response: such calls precede bulk calls. */
  readonly urgency?: "interactive" | "bulk";
  /** Called right before booking. Returns false if another attempt has taken over. Absent without another attempt. */
  readonly mayBook?: () => Promise<boolean>;
  /** Called with each request at its end, including requests that were not sent. */
  readonly notify?: (call: LedgerCall) => void;
}

/** One request to a ledger, for the record: without ids, content and secrets. */
export interface LedgerCall {
  /** The name of the request: `POST invoices/book`, `account.invoice.post`. */
  readonly verb: string;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** `answered`, or the reason why there is no response: `not_sent:rate_limited`, `lost:timeout`. */
  readonly outcome: string;
  /** Milliseconds from the beginning of the request, including the wait for its turn. */
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
  /** The exchange rate is missing, both in the ledger and on the document. */
  | "RATE_MISSING"
  | "NOT_ALLOWED";

/** Why a ledger was not called, or gave no response that shows the outcome. */
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
  /** The ledger's messages by its own field names; for the log and for `details`, never trusted as markup. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether another document is booked under the guid; only for a conflict. */
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

/** The connection no longer works: its queue pauses until an admin has fixed it. */
export interface Unauthorized {
  readonly state: "unauthorized";
  readonly reason?: "credentials" | "subscription";
  readonly cause?: unknown;
}

/** An outcome of any call: the request failed, or may have failed. */
export type Failure = NotStarted | Unknown | Unauthorized;
