/**
 * The port to the connected accounting system (the interface calls it the ledger). One verb books,
 * `ensureBooked`, and it may be repeated: the guid is ours and chosen before the first call, so that
 * a lost answer never becomes a second booking. Results are values; what is thrown is a bug.
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

/** Something frozen to be booked. The same guid with another hash is a conflict, never a second document. */
export type BookingIntent = DocumentBooking | VoucherBooking;

export interface DocumentBooking extends Requested {
  readonly kind: "invoice" | "credit_note";
  readonly document: DocumentSnapshot;
}

export interface VoucherBooking extends Requested {
  readonly kind: "voucher";
  readonly document: VoucherSnapshot;
}

interface Requested {
  /** Under which the ledger books it: the document's id, or another where the ledger keeps that of a deleted draft. */
  readonly guid: string;
  readonly payload_hash: Uint8Array;
  /** Who asked for it: `api_key:<id>`, `user:<id>`, `scheduler:<id>`. */
  readonly requested_by: string;
  /** Where its lines are posted in the connected ledger, frozen with it; empty for a ledger in our own database. */
  readonly accounts: readonly MappedAccount[];
}

/**
 * What one of our accounts is in the connected ledger, for sales under a VAT code, or without one for roles and for
 * vouchers. Documents and vouchers use the same row, vouchers without its VAT code.
 */
export interface MappedAccount {
  readonly account_number: number;
  readonly vat_code: VatCode | null;
  /** The account's number or code there. */
  readonly ledger_account: string;
  /** Its VAT or tax code there; null where none is charged, or where the account decides it. */
  readonly ledger_vat_code: string | null;
}

/** Minor units of the document's currency. */
export interface BookedTotals {
  readonly net: bigint;
  readonly vat: bigint;
  readonly gross: bigint;
}

export interface Booked {
  readonly state: "booked";
  readonly guid: string;
  /** The document's name in the ledger, where it differs from the guid. */
  readonly ledger_id: string;
  readonly number: bigint;
  /** The year within which the number is the only one, where numbers begin anew each year; absent elsewhere. */
  readonly year?: number;
  /** Null where the ledger does not tell. */
  readonly totals: BookedTotals | null;
  /** The rate that the ledger took, and the totals in its own currency; absent where it does not tell. */
  readonly functional?: BookedFunctional;
}

export interface BookedFunctional {
  /** Functional units for one unit of the document's currency, in millionths. */
  readonly rate_micro: bigint;
  /** Minor units of the functional currency. */
  readonly gross: bigint;
  readonly vat: bigint;
}

/**
 * `rejected` and `not_started` assert that nothing was booked. `unknown` asserts nothing: only
 * `find` tells what became of it. `pending` is accepted, and booked or refused later: `find` tells.
 * `guid_used` says that the guid is that of something deleted, under which nothing can be booked any more.
 */
export type BookOutcome =
  | Booked
  | Rejected
  | NotStarted
  | Unknown
  | { readonly state: "pending"; readonly poll_after_ms: number }
  | { readonly state: "guid_used"; readonly cause?: unknown }
  | Unauthorized;

export type Found =
  | Booked
  | { readonly state: "absent" }
  | { readonly state: "draft" }
  | { readonly state: "pending" }
  | Failure;

/** A ledger outside of our database: every verb may be repeated. */
export interface Ledger {
  /** The only way out of `unknown`. */
  find(kind: DocumentKind, guid: string, options: CallOptions): Promise<Found>;
  /** Creates what is absent, books what is a draft, and answers the booking that exists. */
  ensureBooked(intent: BookingIntent, options: CallOptions): Promise<BookOutcome>;
  /** The rest is what a connected accounting system can do besides; a simulator of bookings alone has none of it. */
  readonly more?: ConnectedLedger;
}

/** A statement of SQL with `$1` for the first of its values. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Where books are read. */
export interface LedgerReads {
  rows<Row>(statement: Statement): Promise<Row[]>;
  row<Row>(statement: Statement): Promise<Row | undefined>;
}

/** The caller's transaction: what is written fails the transaction if it fails, and what is locked stays so. */
export interface LedgerTransaction extends LedgerReads {
  write(statement: Statement): void;
  lock(statement: Statement): void;
}

export type AccountType = "asset" | "liability" | "equity" | "income" | "expense";

/** A line of an entry. */
export interface Posting {
  readonly account_number: number;
  /** Debit above 0, credit below 0, in minor units of the functional currency. */
  readonly amount: bigint;
  /** The same in the document's currency. */
  readonly currency_amount: bigint;
  readonly vat_code: string | null;
  readonly customer_id: string | null;
}

/** What a document would be booked as now. */
interface EntryAhead {
  /** That of the entry, unless something is booked before it. */
  readonly number: bigint;
  readonly postings: readonly Posting[];
}

/** The books in our own database, as they are read at any time. */
export interface Books {
  /** How the document would be booked, by the same rules; nothing is. */
  ahead(document: DocumentSnapshot): Promise<EntryAhead>;
  find(kind: DocumentKind, guid: string): Promise<Found>;
  /** VAT codes of revenue accounts; null for accounts without one, absent for unknown numbers. */
  vatCodes(numbers: readonly number[]): Promise<ReadonlyMap<number, VatCode | null>>;
  /** Balances of accounts at the end of a day, in minor units of the functional currency, debit above 0. */
  balances(numbers: readonly number[], through: CalendarDate): Promise<ReadonlyMap<number, Money>>;
  /** The same of every account of a type that has postings by then. */
  balancesOf(type: AccountType, through: CalendarDate): Promise<ReadonlyMap<number, Money>>;
  /** Where sales of products that name no account go, by their VAT treatment. */
  readonly sales_accounts: SalesAccounts;
  /** Where documents post what is owed and the VAT that they charge. */
  readonly control_accounts: { readonly receivables: number; readonly vat: number };
}

/** A ledger in our own database, inside of a transaction. */
export interface TransactionalLedger extends Books {
  /** Books what is not booked yet, all at once; the outcomes are in the order of the intents, whose guids are distinct. */
  ensureBooked(intents: readonly BookingIntent[]): Promise<BookOutcome[]>;
  /**
   * Makes sure that the account exists with one of the types: one that is missing is created with
   * the first (spec 7.3). Answers false when it exists with a type that is not named.
   */
  ensureAccount(number: number, types: readonly [AccountType, ...AccountType[]]): Promise<boolean>;
}

/**
 * How an account is connected. A transactional ledger lives in our database and books inside the
 * caller's transaction, so that nothing can be half done; an external one is called outside of any
 * transaction, behind an intent (spec 9.8).
 */
export type Connection =
  | {
      readonly kind: string;
      readonly transactional: true;
      /** The default revenue account of a new account. */
      readonly default_revenue_account: number;
      /** The accounts of its chart that a new account's accruals are booked on. */
      readonly account_roles: {
        readonly contract_asset: number;
        readonly contract_liability: number;
        readonly exchange_difference: number;
      };
      books(reads: LedgerReads, account_id: AccountId): Books;
      within(tx: LedgerTransaction, account_id: AccountId): TransactionalLedger;
      /** Opens the books of a new account: chart and counters. */
      prepare(tx: LedgerTransaction, account_id: AccountId): void;
    }
  | {
      readonly kind: string;
      readonly transactional: false;
      /** How people call it; absent for a simulator of bookings. */
      readonly title?: string;
      /** How long to wait for it, where that differs from the usual. */
      readonly patience?: Patience;
      /** What it can do beside booking; absent for one that only books. */
      readonly capabilities?: LedgerCapabilities;
      /**
       * Our own chart, which says how sales are taxed wherever they are booked, and whose accounts are mapped to the
       * ledger's; absent for one that takes our accounts as they are.
       */
      readonly chart?: OwnChart;
      connect(account_id: AccountId): Ledger;
    };

/** The part of the books in our own database that stays ours, whoever books. */
export interface OwnChart {
  books(reads: LedgerReads, account_id: AccountId): Pick<Books, "vatCodes" | "sales_accounts">;
  within(tx: LedgerTransaction, account_id: AccountId): Pick<TransactionalLedger, "ensureAccount">;
}

/** Milliseconds for one call, between two calls (doubled each time) and for all of them, and how many rounds. */
export interface Patience {
  /** For each request of a call that is made of many; absent where the call alone is bounded. */
  readonly request_ms?: number;
  readonly call_ms: number;
  readonly pause_ms: number;
  readonly rounds: number;
  readonly total_ms: number;
}
