/** A draft in the form that its editor gets from the server. */
import type { Month } from "../../domain/base/calendar.ts";
import type { ContractTerms } from "../../domain/sales/payment.ts";
import type { BuyerReference } from "../../domain/sales/printed.ts";
import type { DocumentView } from "../../features/documents/printing/view.ts";
import type { Cure } from "../parts/cures.ts";
import type { CuredText } from "../parts/facts.tsx";
import type { Refusal } from "../words/refusal.ts";
import type { DraftFacts } from "./draft-sums.ts";
import type { TypedDraft } from "./draft-typed.ts";

/** A stored draft with all the data that its editor needs. */
export interface DraftStored {
  readonly id: string;
  readonly version: string;
  readonly is_being_issued: boolean;
  /** Whether the ledger's content differs from the sent document: a person must decide. */
  readonly is_in_doubt: boolean;
  readonly typed: TypedDraft;
  readonly facts: DraftFacts;
  readonly billing: Billing;
  readonly view: DocumentView;
  /** The reader's own revenue by month, for a reader who does not see the revenue of other people: whole minor units as text. */
  readonly own_months: readonly SentMonth[] | null;
  /** Where its e-invoice would go, in words; null while something is missing, and where none would. */
  readonly ready: string | null;
  /** What its e-invoice lacks and the warnings, as sentences in the reader's language, each with the link to its cure. */
  readonly warnings: readonly CuredText[];
}

/** How the customer of the stored draft is billed, in words of the reader's language. */
export interface Billing {
  /** The VAT on a usual sale, with the customer's country: `Denmark, VAT 25 %`. */
  readonly vat: string;
  readonly vat_number: string | null;
  /** Where the document is sent; `is_missing` where it cannot be sent. */
  readonly address: { readonly text: string; readonly is_missing: boolean };
  /** The payment terms, in words and for the due date. */
  readonly terms: string;
  readonly due: ContractTerms;
  /** The references that are printed where the draft has none of its own; empty for none. */
  readonly references: Readonly<Record<BuyerReference, string>>;
}

export interface SentMonth {
  readonly month: Month;
  readonly earned: string;
}

/** The e-mail that would carry the invoice. */
export interface SentMail {
  readonly from: string;
  readonly from_name: string | null;
  /** The recipient; null when the draft cannot be e-mailed. */
  readonly to: string | null;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly string[];
  /** Whether issuing the invoice sends the e-mail. */
  readonly is_sent: boolean;
  readonly unsent: "no_address" | "einvoice_not_configured" | null;
  /** What makes it possible to send the e-mail. */
  readonly cure: Cure | null;
}

/** The journal entry that would be booked. Amounts are whole minor units as text, debit above 0. */
interface SentEntry {
  readonly number: string;
  readonly date: string;
  /** The currency of the document. */
  readonly currency: string;
  readonly functional_currency: string;
  readonly postings: readonly {
    readonly account_number: number;
    readonly account_name: string | null;
    readonly amount: string;
    readonly currency_amount: string;
    readonly vat_code: string | null;
    readonly customer: string | null;
  }[];
}

/** The effect of issuing, or why it is refused. `resumes` is an issue that has begun: its further effect is unknown. */
export type IssueAhead =
  | { readonly refused: Refusal; readonly cure: Cure | null }
  | { readonly resumes: true }
  | {
      readonly mail: SentMail;
      /** The journal entry; null where the ledger is an external one. */
      readonly entry: SentEntry | null;
    };

/** A user or a customer of the account. */
export interface Named {
  readonly id: string;
  readonly name: string;
}
