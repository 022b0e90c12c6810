/**
 * The single catalogue of refusals. A rule, a command or the framework throws a `Problem`; each surface translates its kind in
 * one place. Any other exception is a bug and becomes INTERNAL_ERROR.
 */

import { cut, type FieldCode, type FieldError, fittingErrors } from "./field-errors.ts";

export type { FieldCode, FieldError } from "./field-errors.ts";

/** The kind decides the status in REST: 400, 401, 403, 404, 409, 412, 422, 429 or 500. */
export type ProblemKind =
  | "malformed"
  | "unauthorized"
  | "forbidden"
  | "absent"
  | "conflict"
  | "changed"
  | "invalid"
  | "limited"
  | "unavailable";

/** By code: the kind of the refusal, unless it is a conflict with stored data, and a sentence. */
const catalogue = {
  MALFORMED_REQUEST: ["malformed", "The request cannot be read."],
  VERSION_UNKNOWN: [
    "malformed",
    "The header Matchbook-Version has to name a day, no later than the version of this service; details name both.",
  ],
  UNAUTHORIZED: ["unauthorized", "A valid API key is required."],
  INSUFFICIENT_SCOPE: ["forbidden", "The key's scope does not allow this call."],
  REAUTHENTICATION_REQUIRED: [
    "forbidden",
    "The person's last proof of who they are is more than ten minutes old: they have to answer again.",
  ],
  NOT_FOUND: ["absent", "There is no such resource."],
  VALIDATION_FAILED: ["invalid", "The request is not valid; see field_errors."],
  PRECONDITION_FAILED: [
    "changed",
    "The resource is not the one that the tags of the request name: read it again first.",
  ],
  IDEMPOTENCY_CONFLICT:
    "The idempotency key was used with another path or body; use a new key for a new request.",
  REQUEST_IN_PROGRESS:
    "The first request with this idempotency key is still in progress; repeat it to get its answer.",
  RATE_LIMITED: ["limited", "Too many requests; wait as Retry-After says."],
  RESOURCE_BUSY:
    "Another change is in progress on the same data. Nothing was changed: wait as Retry-After says and repeat the call.",
  FEED_RESET:
    "The cursor is of a feed of events that a restore of a backup has ended: read again after details.sequence.",
  BACKGROUND_PAUSED:
    "Nothing is sent while background work is paused: in a restored copy until it is resumed, and in a process without background work.",
  TOO_MANY_ENDPOINTS: "The account has 20 webhook endpoints; delete one first.",
  INVOICE_ALREADY_ISSUED: "The invoice is issued and can no longer be changed.",
  INVOICE_ISSUE_IN_PROGRESS:
    "The invoice is being issued; its outcome is not known yet. Repeat the issue call to learn it.",
  INVOICE_NOT_ISSUED: "The invoice is a draft; issue it first.",
  INVOICE_EMPTY: "The invoice has no lines, or its total is 0.",
  INVOICE_INCOMPLETE:
    "The invoice lacks data that the law requires: details.missing names fields of the seller in the configuration and of the customer.",
  EINVOICE_INCOMPLETE:
    "The e-invoice cannot be made: details.missing names the fields that it lacks, details.rules the rules that want them.",
  INVOICE_FULLY_CREDITED: "Nothing is left to credit on the invoice.",
  CREDIT_EXCEEDS_LINE: "The amount is more than the remaining amount of the line.",
  CREDIT_NOTE_ALREADY_ISSUED: "The credit note is issued.",
  CREDIT_NOTE_NOT_ISSUED: "The credit note is not issued yet.",
  DELIVERY_NOT_RESOLVABLE:
    "Only a delivery that is in doubt, lies in a folder or has failed permanently is resolved by a person; details name the state.",
  SERIES_INCOMPLETE: "A series needs at least one line to be activated.",
  SERIES_ALREADY_ACTIVE: "The series is already active.",
  SERIES_CANCELLED: "The series is cancelled.",
  SERIES_ALREADY_CANCELLED: "The series is already cancelled with this or an earlier end date.",
  SERIES_FIELD_FROZEN: "These fields are fixed once a period has been issued.",
  SERIES_END_BEFORE_ISSUED:
    "The end date is before the end of an issued period; cancel the series instead.",
  FINAL_PERIOD_ALREADY_ISSUED: "The final, partial period is issued.",
  SERIES_TIMING_CONFLICT:
    "Lines by hours or progress are invoiced after the work: choose end-of-period or manual timing.",
  SERIES_HAS_NO_OPEN_OCCURRENCE: "The series has no period left to invoice.",
  OCCURRENCE_ALREADY_ISSUED: "The period is issued.",
  OCCURRENCE_DROPPED: "The period was dropped by a cancellation.",
  OCCURRENCE_NOT_SKIPPED: "The period is not skipped.",
  SERIES_NOT_ACTIVE: "The series is a draft; activate it before work is registered.",
  OCCURRENCE_SKIPPED: "The period is skipped; unskip it first.",
  OCCURRENCE_HAS_REGISTRATIONS: "Work is registered in the period; move or delete it first.",
  LINE_HAS_REGISTRATIONS: "Work is registered on the line; move or delete it first.",
  LINE_NOT_COMPLETABLE: "Only lines by milestone or progress can be completed.",
  LINE_ALREADY_COMPLETED: "The line is completed on another day; remove that completion first.",
  USER_INACTIVE: "The user is inactive.",
  USER_NOT_ASSIGNED: "The line is assigned to other users.",
  REGISTRATION_FOR_OTHERS_FORBIDDEN:
    "A standard user registers and changes only their own work; ask an admin to do it.",
  WORK_DATE_IN_FUTURE: "The date is in the future.",
  WORK_DATE_OUTSIDE_PERIOD:
    "The date does not belong to the period of the line; details name the right one, if there is one.",
  WORK_PERIOD_LOCKED: "The date is on or before the account's work lock date.",
  DAILY_HOURS_EXCEEDED: "The user would have worked more than 24 hours on that day.",
  ROLE_FORBIDDEN: ["forbidden", "The person's role does not allow this; ask an admin to do it."],
  OUT_OF_SCOPE: [
    "forbidden",
    "This is outside your view: you are assigned to none of its lines. Ask an admin, or to be assigned.",
  ],
  NOT_A_SANDBOX: ["forbidden", "Only a sandbox account has a test clock."],
  TEST_CLOCK_BACKWARDS: "The test clock only moves forward.",
  CUSTOMER_INACTIVE: "The customer is inactive.",
  PRODUCT_INACTIVE:
    "The product is inactive: no new line takes it. Activate it, or choose another one.",
  EXTERNAL_ID_CONFLICT: "The external id is in use with other content.",
  PRODUCT_NUMBER_TAKEN: "Another product has this product number.",
  EMAIL_TAKEN: "Another user of this account has this e-mail address.",
  USER_HAS_LOGIN: "The user can already sign in and needs no invitation.",
  LAST_ADMIN: "The account needs at least one active admin.",
  ACCRUAL_ALREADY_BOOKED: "The accrual is booked.",
  ACCRUAL_NOT_BOOKED: "The accrual is a draft; there is no booking to reverse.",
  EARLIER_ACCRUAL_OPEN: "An earlier month of the customer is not booked yet; book it first.",
  LATER_ACCRUAL_BOOKED: "A later month of the customer is booked; reopen it first.",
  PERIOD_NOT_ENDED: "The month has not ended.",
  EARLIER_PERIOD_OPEN: "An earlier month is not closed yet; close it first.",
  LATER_PERIOD_CLOSED: "A later month is closed; reopen it first.",
  PERIOD_NOT_CLOSED: "The month is not closed.",
  PERIOD_CLOSED:
    "The lock date cannot move back before the end of a completed close. Reopen the month that details name, with POST /period-closes/{month}/reopen and a reason.",
  ACCOUNT_ROLE_MISSING:
    "An account role has no account; set it in account_roles of the configuration.",
  PAYMENTS_IN_LEDGER:
    "Payments of this account are recorded in the connected accounting system; Matchbook reads what is paid today.",
  RECEIVABLES_NOT_BEGUN:
    "Matchbook does not know yet what was paid before: begin the receivables of the account first.",
  PAYMENT_DATE_IN_FUTURE: "The date is after today in the account's time zone.",
  PAYMENT_EXCEEDS_OPEN:
    "Nothing open takes up this much: details name the document and what is open of it, or the remainder of the payment.",
  CREDIT_EXCEEDS_OPEN:
    "Less than this is open of the credit: details name the document and what is open of it, or the remainder of the refund.",
  PAYMENT_REVERSED: "The payment is reversed.",
  PAYMENT_REFUNDED: "A refund takes a part of it; reverse the refund first.",
  ALLOCATION_REVERSED: "The allocation is reversed.",
  BANK_LINE_BOOKED: "The line is booked with other content; reverse its payment first.",
  BANK_LINE_IGNORED: "The line is ignored; restore it first.",
  MATCH_NOT_EXACT: "No suggestion for the line is exact now: say what it is.",
  RECEIVABLES_BEGUN: "The receivables of the account are begun already.",
  ITEM_APPLIED: "Something is applied to the item; reverse the allocations first.",
  ITEM_REVERSED: "The item is reversed.",
  OPENING_CONTRACT_ENDED: "The opening contract has ended.",
  REMINDER_PAID: "Something is applied to the reminder; reverse the allocations first.",
  REMINDER_CANCELLED: "The reminder is cancelled.",
  ITEM_SETTLED:
    "One of its documents was settled before receivables were begun, which cannot change.",
  PERIOD_LOCKED: "The date is on or before the account's period lock date.",
  EXCHANGE_RATE_MISSING:
    "There is no exchange rate on or before the date; set one with PUT /exchange-rates/{currency}/{date}.",
  CONFIGURATION_LOCKED: "This setting is fixed once something has been booked.",
  EINVOICE_BY_LEDGER:
    "The connected accounting system makes and sends the e-invoices of this account.",
  EINVOICE_NOT_CONNECTED: "No connection for e-invoices is set up.",
  EINVOICE_UNDER_WAY: "An e-invoice is in progress, or has been handed over already.",
  LEDGER_NOT_CONNECTED: "No accounting system is connected.",
  LEDGER_MAPPING_MISSING:
    "An account is not mapped to the connected accounting system; details name it and the VAT code under which it is posted.",
  LEDGER_REJECTED: "The accounting system refused the document.",
  LEDGER_MOVING:
    "The books of the account are being moved to another ledger; nothing is booked until that has ended.",
  MOVE_BLOCKED:
    "The books cannot move to another ledger yet; details list what has to be settled before, each with its cure.",
  PLAN_NOT_FOUND: ["absent", "There is no such plan of this person and this assistant."],
  PLAN_EXPIRED: "The plan is older than 15 minutes; plan again.",
  PLAN_STALE: "The data on which the plan is based has changed; plan again.",
  CHANGED_MEANWHILE: "Another user has changed this since you saw it; nothing was saved.",
  PLAN_ALREADY_COMMITTED: "The plan has already been committed; details name the result.",
  SERVICE_UNAVAILABLE: [
    "unavailable",
    "The service cannot reach its database at the moment. Wait as Retry-After says and repeat the call.",
  ],
  LEDGER_UNAVAILABLE: [
    "unavailable",
    "The accounting system does not answer. Nothing is lost: repeat the call, and it continues where it stopped.",
  ],
} as const satisfies Record<string, string | readonly [ProblemKind, string]>;

export type ProblemCode = keyof typeof catalogue;

function entryOf(code: ProblemCode): readonly [ProblemKind, string] {
  const entry = catalogue[code];
  return typeof entry === "string" ? ["conflict", entry] : entry;
}

export interface ProblemExtras {
  /** Replaces the sentence of the catalogue; never text from another system. */
  readonly message?: string;
  readonly field_errors?: readonly FieldError[];
  /** The number of all field errors, when `field_errors` has only the first of them. */
  readonly field_errors_total?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whole seconds for the Retry-After header. */
  readonly retry_after_seconds?: number;
}

/** A refusal that the caller can act upon. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly kind: ProblemKind;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    const [kind, message] = entryOf(code);
    super(extras.message ?? message);
    this.code = code;
    this.kind = kind;
    this.extras = withFittingErrors(extras);
  }
}

/** When not all field errors fit, the details state their number. */
function withFittingErrors(extras: ProblemExtras): ProblemExtras {
  if (extras.field_errors === undefined) return extras;
  const field_errors = fittingErrors(extras.field_errors);
  const field_errors_total = extras.field_errors_total ?? extras.field_errors.length;
  if (field_errors_total <= field_errors.length) return { ...extras, field_errors };
  return { ...extras, field_errors, details: { ...extras.details, field_errors_total } };
}

/** Every code with its kind and standard sentence, for the documentation. */
export function problemCatalogue(): readonly {
  readonly code: ProblemCode;
  readonly kind: ProblemKind;
  readonly message: string;
}[] {
  return (Object.keys(catalogue) as ProblemCode[]).map((code) => {
    const [kind, message] = entryOf(code);
    return { code, kind, message };
  });
}

/** Throws VALIDATION_FAILED when there is at least one field error. */
export function requireValid(field_errors: readonly FieldError[]): void {
  if (field_errors.length > 0) throw new Problem("VALIDATION_FAILED", { field_errors });
}

/** NOT_FOUND for a reference to a missing resource; `resource` is the API's name of its type, such as `credit_note`. */
export function notFound(resource: string, ref: string): Problem {
  const shown = cut(ref.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?"), MOST_REF);
  const message = `There is no ${resource.replaceAll("_", " ")} ${shown}.`;
  return new Problem("NOT_FOUND", { message, details: { resource, ref: shown } });
}

/** The longest reference that a sentence shows. */
const MOST_REF = 160;

/** One field error as a Problem. */
export function invalidField(field: string, code: FieldCode, message: string): Problem {
  return new Problem("VALIDATION_FAILED", { field_errors: [{ field, code, message }] });
}
