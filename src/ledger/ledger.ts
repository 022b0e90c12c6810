/**
 * The port to the connected accounting system (in the interface, the ledger). Only `ensureBooked` books. It may be
 * repeated, because we choose the guid before the first call. Results are values; only bugs are thrown.
 */
import type { AccountId } from "../domain/base/brand.ts";
import type { CalendarDate } from "../domain/base/calendar.ts";
import type { Money } from "../domain/base/money.ts";
import type { VoucherSnapshot } from "../domain/revenue/voucher.ts";
import type { DocumentSnapshot } from "../domain/sales/document.ts";
import type { SalesAccounts } from "../domain/sales/sales-account.ts";
import type { VatCode } from "../domain/sales/vat-code.ts";
import type { ConnectedLedger, LedgerCapabilities } from "./connected.ts";
import type {
  CallOptions,
  DocumentKind,
  Failure,
  NotStarted,
  Rejected,
  Unauthorized,
  Unknown,
} from "./outcome.ts";

/** A frozen document to book. The same guid with another hash is a conflict, never a second document. */
export type BookingIntent = DocumentBooking | VoucherBooking;

export interface DocumentBooking extends Requested {
  readonly kind: "invoice" | "credit_note";
  readonly document: DocumentSnapshot;
}

export interface VoucherBooking extends Requested {
  readonly kind: "voucher";
  readonly document: VoucherSnapshot;
}

/** An entry of payments, reminders or opening items: only a ledger in our own database books it. */
export interface JournalBooking extends Hashed {
  readonly kind: JournalSnapshot["kind"];
  readonly document: JournalSnapshot;
}

/** What such an entry posts, as it was decided. Each kind has its own numbers. */
interface JournalSnapshot {
  readonly kind: "payment" | "reminder" | "opening";
  readonly issue_date: CalendarDate;
  readonly text: string;
  /** That of the item. */
  readonly currency: string;
  /** Null: amounts are posted as they were paid or given, not at one rate. */
  readonly rate_micro: null;
  /** The guid of the entry that this one reverses. */
  readonly reverses_guid: string | null;
  /** Two postings or more, which add up to 0, none of them 0. */
  readonly postings: readonly Omit<Posting, "vat_code">[];
}

interface Requested extends Hashed {
  /** The ledger's accounts for the document's lines, frozen with it. Empty for a ledger in our own database. */
  readonly accounts: readonly MappedAccount[];
}

interface Hashed {
  /** The guid in the ledger: the document's id, or another guid when the ledger still has a deleted draft under that id. */
  readonly guid: string;
  readonly payload_hash: Uint8Array;
  /** The actor that requested the booking: `api_key:<id>`, `user:<id>`, `scheduler:<id>`. */
  readonly requested_by: string;
}

/**
 * The counterpart of one of our accounts in the connected ledger, for sales under a VAT code, or without a code for roles and
 * vouchers. Documents and vouchers use the same row, vouchers without its VAT code.
 */
export interface MappedAccount {
  readonly account_number: number;
  readonly vat_code: VatCode | null;
  /** The account's number or code in the ledger. */
  readonly ledger_account: string;
  /** The VAT or tax code in the ledger; null where no VAT is charged, or where the account decides it. */
  readonly ledger_vat_code: string | null;
}

/** The totals in minor units of the document's currency. */
export interface BookedTotals {
  readonly net: bigint;
  readonly vat: bigint;
  readonly gross: bigint;
}

export interface Booked {
  readonly state: "booked";
  readonly guid: string;
  /** The document's name in the ledger, which may differ from the guid. */
  readonly ledger_id: string;
  readonly number: bigint;
  /** The number of its journal entry; absent for a ledger outside of our database. */
  readonly entry_no?: bigint;
  /** The year within which the number is unique, for a ledger whose numbers restart each year; otherwise absent. */
  readonly year?: number;
  /** The totals; null when the ledger does not report them. */
  readonly totals: BookedTotals | null;
  /** The rate that the ledger used, and the totals in the ledger's own currency; absent when the ledger does not report them. */
  readonly functional?: BookedFunctional;
}

export interface BookedFunctional {
  /** Functional units for one unit of the document's currency, in millionths. */
  readonly rate_micro: bigint;
  /** Gross total in minor units of the functional currency. */
  readonly gross: bigint;
  readonly vat: bigint;
}

/**
 * The outcome of a booking. `rejected` and `not_started` assert that nothing was booked. `unknown` asserts nothing: only `find`
 * shows the outcome. `pending` is accepted, and booked or refused later, as `find` shows. `guid_used` reports that the guid
 * belongs to a deleted document, so nothing can be booked under it.
 */
export type BookOutcome =
  | Booked
  | Rejected
  | NotStarted
  | Unknown
  | { readonly state: "pending"; readonly poll_after_ms: number }
  | { readonly state: "guid_used"; readonly cause?: unknown }
  | Unauthorized;

export type FoundBooking =
  | Booked
  | { readonly state: "absent" }
  | { readonly state: "draft" }
  | { readonly state: "pending" }
  | Failure;

/** A ledger outside of our database: every verb may be repeated. */
export interface Ledger {
  /** Reads the booking under a guid. After `unknown`, only this call shows the outcome. */
  find(kind: DocumentKind, guid: string, options: CallOptions): Promise<FoundBooking>;
  /** Creates an absent document, books a draft, and returns an existing booking. */
  ensureBooked(intent: BookingIntent, options: CallOptions): Promise<BookOutcome>;
  /** The other functions of a connected accounting system; absent for a simulator that only books. */
  readonly more?: ConnectedLedger;
}

/** An SQL statement whose text numbers its values from `$1`. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Reads the tables of the books. */
export interface LedgerReads {
  rows<Row>(statement: Statement): Promise<Row[]>;
  row<Row>(statement: Statement): Promise<Row | undefined>;
}

/** The caller's transaction: a failed write fails the transaction, and locks are held until its end. */
export interface LedgerTransaction extends LedgerReads {
  write(statement: Statement): void;
  lock(statement: Statement): void;
}

export type AccountType = "asset" | "liability" | "equity" | "income" | "expense";

/** A line of a journal entry. */
export interface Posting {
  readonly account_number: number;
  /** Debit above 0, credit below 0, in minor units of the functional currency. */
  readonly amount: bigint;
  /** The amount in the document's currency. */
  readonly currency_amount: bigint;
  readonly vat_code: string | null;
  /** On receivables and customer credit, and on the postings of vouchers. */
  readonly customer_id: string | null;
}

/** The journal entry that a document would get if it were booked now. */
interface EntryAhead {
  /** The number of the entry, unless another document is booked first. */
  readonly number: bigint;
  readonly postings: readonly Posting[];
}

/** The books in our own database, which may be read at any time. */
export interface Books {
  /** Returns the preview of a booking, by the same rules; books nothing. */
  ahead(document: DocumentSnapshot): Promise<EntryAhead>;
  find(kind: DocumentKind, guid: string): Promise<FoundBooking>;
  /** Returns the VAT codes of revenue accounts; null for accounts without one, absent for unknown numbers. */
  vatCodes(numbers: readonly number[]): Promise<ReadonlyMap<number, VatCode | null>>;
  /** Returns account balances at the end of a date, in minor units of the functional currency, debit above 0. */
  balances(numbers: readonly number[], through: CalendarDate): Promise<ReadonlyMap<number, Money>>;
  /** Returns the balances of every account of a type with postings up to a date. */
  balancesOf(type: AccountType, through: CalendarDate): Promise<ReadonlyMap<number, Money>>;
  /** The accounts for sales of products that name no account, by VAT treatment. */
  readonly sales_accounts: SalesAccounts;
  /** The accounts for receivables and for charged VAT. */
  readonly control_accounts: { readonly receivables: number; readonly vat: number };
}

/** A ledger in our own database, which books inside a transaction. */
export interface TransactionalLedger extends Books {
  /**
   * Books all intents that are not booked yet; the outcomes are in the order of the intents, whose guids are distinct. Each kind
   * takes its numbers in that order. An entry that is empty or does not balance is `rejected`.
   */
  ensureBooked(intents: readonly (BookingIntent | JournalBooking)[]): Promise<BookOutcome[]>;
  /**
   * Ensures an account of one of the types; creates it with the first and the VAT code (spec 7.3). Returns false for another
   * type.
   */
  ensureAccount(
    number: number,
    types: readonly [AccountType, ...AccountType[]],
    vat_code: VatCode | null,
  ): Promise<boolean>;
}

/**
 * The connection of an account. A transactional ledger is in our database and books inside the caller's transaction,
 * so that a booking is atomic. An external one is called outside of transactions, behind an intent (spec 9.8).
 */
export type Connection =
  | {
      readonly kind: string;
      readonly transactional: true;
      /** The default revenue account of a new account. */
      readonly default_revenue_account: number;
      /** The chart's accounts for a new account's accruals, payments and reminders. */
      readonly account_roles: {
        readonly contract_asset: number;
        readonly contract_liability: number;
        readonly exchange_difference: number;
        readonly customer_credit: number;
        readonly rounding: number;
        readonly payment_fee: number;
        readonly reminder_fee: number;
        readonly interest_income: number;
      };
      books(reads: LedgerReads, account_id: AccountId): Books;
      within(tx: LedgerTransaction, account_id: AccountId): TransactionalLedger;
      /** Opens the books of a new account: chart and counters. */
      prepare(tx: LedgerTransaction, account_id: AccountId): void;
    }
  | {
      readonly kind: string;
      readonly transactional: false;
      /** The name of the accounting system for people; absent for a simulator of bookings. */
      readonly title?: string;
      /** The time limits of the ledger's calls, where they differ from the usual ones. */
      readonly timeouts?: Timeouts;
      /** The ledger's capabilities other than booking; absent for a ledger that only books. */
      readonly capabilities?: LedgerCapabilities;
      /** Our chart, which decides the VAT of sales and maps to the ledger's. Absent if the ledger takes our numbers. */
      readonly chart?: OwnChart;
      /** Opens the ledger by the account's connection, or by one that it has had before. */
      connect(account_id: AccountId, connection_id?: string): Ledger;
    };

/** The part of the books that our own database keeps for every ledger. */
export interface OwnChart {
  books(reads: LedgerReads, account_id: AccountId): Pick<Books, "vatCodes" | "sales_accounts">;
  within(tx: LedgerTransaction, account_id: AccountId): Pick<TransactionalLedger, "ensureAccount">;
}

/** Milliseconds for one call, between two calls (doubled each time) and for all calls, and the number of rounds. */
export interface Timeouts {
  /** Milliseconds for each request of a call with many requests; absent when only the call is limited. */
  readonly request_ms?: number;
  readonly call_ms: number;
  readonly pause_ms: number;
  readonly rounds: number;
  readonly total_ms: number;
}
