/**
 * The functions of a connected accounting system other than booking: the service checks its connection, sends customers and
 * products, reads its changes, and may let it print and send documents. As in the rest of the port, results are values.
 */
import type { CalendarDate, Month } from "../domain/base/calendar.ts";
import type { RemoteDocument } from "../domain/sales/reconciliation.ts";
import type { CallOptions, DocumentKind, Failure, Rejected } from "./outcome.ts";

export interface ConnectedLedger {
  /** Reads the identity of the ledger, and whether documents could be booked in it. */
  check(options: CallOptions): Promise<LedgerCheck | Failure>;
  /** Creates or updates the customer. */
  putCustomer(customer: LedgerCustomer, options: CallOptions): Promise<PutOutcome>;
  putProduct(product: LedgerProduct, options: CallOptions): Promise<PutOutcome>;
  /** Reads the customers and products that changed in the ledger at or after a moment; null for all. */
  changes(since: string | null, options: CallOptions): Promise<LedgerChanges | Failure>;
  /** Reads the last locked date: nothing may be booked on or before it; null when there is none. */
  lockedThrough(options: CallOptions): Promise<LockedThrough | Failure>;
  /** Reads the bookings of a month, with the account balances at its end. */
  month(month: Month, options: CallOptions): Promise<LedgerMonth | Failure>;
  /**
   * Reads what is paid of booked documents; absent unless `capabilities.tells_payments`. A document that is not in the response is one
   * of which the ledger does not report it.
   */
  payments?(
    documents: readonly PaidDocument[],
    options: CallOptions,
  ): Promise<LedgerPayments | Failure>;
  /**
   * Reads which invoices may have been paid since an earlier response, or which are open now where `since` is null. Absent unless
   * `capabilities.lists_payment_changes`: then `payments` is called for all that is open.
   */
  paymentChanges?(
    since: string | null,
    options: CallOptions,
  ): Promise<LedgerPaymentChanges | Failure>;
  /** Removes the drafts that a late call has left under a guid; returns their number. Booked documents stay. */
  sweep(kind: DocumentKind, guid: string, options: CallOptions): Promise<Swept | Failure>;
  /** Reads the PDF that the ledger prints; absent where the service prints documents (`capabilities.documents`). */
  pdf?(
    kind: "invoice" | "credit_note",
    guid: string,
    options: CallOptions,
  ): Promise<{ readonly state: "pdf"; readonly content: Uint8Array } | Failure>;
  /** Sends a booked document. Before a repetition, the caller reads `sends`. Absent where the service sends documents. */
  send?(
    kind: "invoice" | "credit_note",
    guid: string,
    channel: SendChannel,
    options: CallOptions,
  ): Promise<SendOutcome | Failure>;
  /** Reads the earlier sendings that the ledger knows, the oldest first. */
  sends?(
    kind: "invoice" | "credit_note",
    guid: string,
    options: CallOptions,
  ): Promise<{ readonly state: "sends"; readonly sends: readonly LedgerSend[] } | Failure>;
}

export interface LedgerCapabilities {
  /** The system that prints and sends the documents: two different PDFs with one number would be a fault. */
  readonly documents: "ledger" | "service";
  readonly sends: readonly ("email" | "einvoice")[];
  /** Whether the ledger accepts vouchers first and books them later. */
  readonly asynchronous_vouchers: boolean;
  /** Whether the ledger has its own exchange rates: a rate that is missing in the service then stops no booking. */
  readonly supplies_rates: boolean;
  readonly numbers_restart_by_year: boolean;
  /** Whether the ledger reports what is paid of a document. */
  readonly tells_payments: boolean;
  /** Whether the ledger lists which payments have changed. */
  readonly lists_payment_changes: boolean;
  /** The number of bookings that the ledger takes in parallel. */
  readonly concurrent_bookings: number;
}

export interface LedgerCheck {
  readonly state: "ok";
  /** The name and the id of the organisation in the ledger. */
  readonly organisation: { readonly id: string; readonly name: string };
  /** ISO 4217 currency of the ledger's books. */
  readonly currency: string;
  readonly accounts: readonly LedgerAccount[];
  readonly vat_codes: readonly LedgerVatCode[];
  readonly locked_through: CalendarDate | null;
  /** The faults that prevent booking. */
  readonly faults: readonly LedgerFault[];
}

export interface LedgerAccount {
  readonly account: string;
  readonly name: string;
  /** The VAT code of the account; null where each line has its own code, or where there is none. */
  readonly vat_code: string | null;
}

export interface LedgerVatCode {
  readonly code: string;
  readonly name: string;
  /** The VAT rate in hundredths of a percent: 2500 is 25 %. */
  readonly rate: number;
}

/** A reason why documents cannot be booked: `NUMBERING_NOT_INTEGER`, … */
export interface LedgerFault {
  readonly code: "NUMBERING_NOT_INTEGER" | "NO_FISCAL_YEAR" | "OTHER_CURRENCY" | "INCOMPLETE";
  readonly message: string;
}

/** A customer as a ledger receives it, with the names of the interface's customer resource. */
export interface LedgerCustomer {
  /** Our id, by which the ledger stores or finds the customer. */
  readonly guid: string;
  /** The customer's id in the ledger from an earlier response; null before the first one. */
  readonly ledger_id: string | null;
  readonly active: boolean;
  readonly external_id: string | null;
  readonly name: string;
  readonly country_key: string;
  readonly is_person: boolean;
  readonly street: string | null;
  readonly zip_code: string | null;
  readonly city: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly webpage: string | null;
  readonly att_person: string | null;
  readonly vat_number: string | null;
  readonly se_number: string | null;
  readonly p_number: string | null;
  readonly ean_number: string | null;
  readonly use_cvr: boolean;
  readonly company_type_key: string | null;
  readonly preferred_invoice_language_key: string | null;
  readonly preferred_invoice_currency_key: string | null;
  readonly external_reference: string | null;
  readonly payment_condition_type: string | null;
  readonly payment_condition_number_of_days: number | null;
  readonly invoice_mail_out_option_key: string | null;
}

export interface LedgerProduct {
  readonly guid: string;
  readonly ledger_id: string | null;
  readonly active: boolean;
  readonly product_number: string | null;
  readonly name: string;
  readonly unit: string;
  /** The account in the ledger; null when the mapping has none. */
  readonly ledger_account: string | null;
  /** The price in 1/10000 of the functional currency's unit. */
  readonly price_scaled: bigint;
  /** The quantity in hundredths of the unit. */
  readonly quantity: number;
  readonly comments: string | null;
  readonly external_reference: string | null;
}

/** The outcome of a create or update. `rejected` asserts that the ledger still has the earlier values. */
export type PutOutcome =
  | { readonly state: "stored"; readonly ledger_id: string }
  | Rejected
  | Failure;

export interface LedgerChanges {
  readonly state: "changes";
  readonly customers: readonly RemoteChange<Partial<LedgerCustomer>>[];
  readonly products: readonly RemoteChange<Partial<LedgerProduct>>[];
  /** The start of the next call of `changes`; opaque. */
  readonly until: string;
}

export interface RemoteChange<Fields> {
  readonly ledger_id: string;
  /** Our id, when the ledger stores one. */
  readonly guid: string | null;
  /** False for a record that was deleted or made inactive in the ledger. */
  readonly active: boolean;
  /** The fields that the ledger stores, with their current values. */
  readonly fields: Fields;
}

export interface LockedThrough {
  readonly state: "locked_through";
  readonly day: CalendarDate | null;
}

export interface LedgerMonth {
  readonly state: "month";
  readonly documents: readonly LedgerDocument[];
  /**
   * The balances at the end of the month, within its accounting year: by account of the ledger, in minor units of its currency,
   * debit above 0.
   */
  readonly balances: ReadonlyMap<string, bigint>;
  /** The movements of the month's entries, in the form of `balances`; without opening entries of an accounting year. */
  readonly moved: ReadonlyMap<string, bigint>;
}

/** A booked document as the ledger lists it. */
export type LedgerDocument = RemoteDocument;

/** A booked document, by its guid in the ledger. */
export interface PaidDocument {
  readonly kind: "invoice" | "credit_note";
  readonly guid: string;
}

export interface LedgerPayments {
  readonly state: "payments";
  readonly payments: readonly LedgerPayment[];
}

/** What is paid of a document by what the ledger says, in minor units of the document's currency. Amounts of a credit note are above 0. */
export interface LedgerPayment {
  readonly guid: string;
  readonly state: "open" | "partly_paid" | "paid" | "overpaid";
  /** Null when the ledger does not report it. */
  readonly paid: bigint | null;
  /** What is left to pay; below 0 when too much was paid. Null when the ledger does not report it. */
  readonly remaining: bigint | null;
  /** The day of the last payment of a paid document; null when the ledger does not report it. */
  readonly paid_on: CalendarDate | null;
}

export interface LedgerPaymentChanges {
  readonly state: "payment_changes";
  /** The guids of changed invoices, or of all open ones; they may belong to other systems. */
  readonly guids: readonly string[];
  /** The start of the next call; opaque. */
  readonly until: string;
}

interface Swept {
  readonly state: "swept";
  readonly drafts: number;
}

export type SendChannel =
  | { readonly type: "email"; readonly receiver: string | null }
  | {
      readonly type: "einvoice";
      readonly payment_mean: string | null;
      readonly order_reference: string | null;
      readonly att_person: string | null;
    };

export type SendOutcome =
  | { readonly state: "sent"; readonly recipients: readonly string[] }
  | { readonly state: "queued"; readonly recipients: readonly string[] }
  | {
      readonly state: "failed";
      readonly code: "no_address" | "rejected" | "bounced" | "unsupported";
      /** Only for the log. */
      readonly cause?: unknown;
    };

export interface LedgerSend {
  readonly id: string;
  readonly at: string;
  readonly channel: "email" | "einvoice";
  readonly receiver: string | null;
  readonly state: "queued" | "sent" | "seen" | "failed";
  /** The ledger's own name of the last event, such as `HardBounce`. */
  readonly event: string | null;
}
