/**
 * The content of an issued (or previewed) invoice or credit note, frozen at booking. Only it determines the PDF and
 * e-invoice, so later changes of customer, product or seller have no effect. Credit note amounts are positive.
 */
import type { FikCardType } from "./fik.ts";
import type { VatCode, VatReason } from "./vat-code.ts";

export interface DocumentSnapshot {
  readonly kind: "invoice" | "credit_note";
  /** The uuid of the invoice or credit note in this system. */
  readonly document_id: string;
  /** Printed in place of the seller's name while no seller is configured (spec 7.3). */
  readonly account_name: string;
  readonly seller: Seller | null;
  readonly customer: DocumentCustomer;
  readonly language: "da" | "en";
  /** ISO 4217 code and number of decimals of every amount that is not called functional. */
  readonly currency: string;
  readonly currency_digits: number;
  readonly functional_currency: string;
  readonly functional_digits: number;
  /** Functional units for one unit of the currency, in millionths; null when both are the same. */
  readonly rate_micro: bigint | null;
  /** YYYY-MM-DD: the date of the rate; for a credit note, that of its invoice's rate. Older documents have none. */
  readonly rate_date?: string;
  /** YYYY-MM-DD */
  readonly issue_date: string;
  readonly payment: PaymentTerms;
  readonly title: string | null;
  /** For a credit note: the invoice that it credits. Null for an invoice. */
  readonly credits: CreditedInvoice | null;
  readonly lines: readonly DocumentLine[];
  /** One per VAT code, in the order in which they are printed. */
  readonly vat: readonly DocumentVat[];
  readonly totals: DocumentTotals;
  /** `buyer_reference` and the four fields after it are absent when empty, and on documents from before these fields existed. */
  readonly buyer_reference?: string;
  readonly order_reference?: string;
  /** The account, project or cost centre in the buyer's books. */
  readonly accounting_cost?: string;
  /** Text under the lines; on a credit note, the reason of the credit. */
  readonly footer?: string;
  /** The hours of each line that bills hours, in the order of the lines; never on a credit note. */
  readonly hours?: readonly SpecifiedHours[];
  /** Present when these hours are sums by day and person, because there were too many to list. */
  readonly hours_are_summed?: true;
  /**
   * Frozen with the number of an invoice. Absent on older invoices, drafts and credit notes, and on documents that a connected
   * ledger prints.
   */
  readonly payment_codes?: PaymentCodes;
}

/** The references by which a bank tells which document was paid. */
export interface PaymentCodes {
  /** The one that is printed: the digits of the payment slip where there is one, else the creditor reference. */
  readonly reference: string;
  /** The creditor reference of ISO 11649. */
  readonly rf: string;
  /** `+71<000000000000471+81234567<`; null in other currencies and without a creditor number. */
  readonly fik_line: string | null;
}

/** The hours that a line bills: one by one, or by day and person. */
export interface SpecifiedHours {
  readonly line_id: string;
  readonly entries: readonly SpecifiedEntry[];
}

export interface SpecifiedEntry {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly user_name: string;
  /** Hundredths of an hour. */
  readonly hours: number;
  readonly note: string | null;
}

/** The seller of the configuration (spec 7.3). */
export interface Seller {
  readonly name: string | null;
  readonly street: string | null;
  readonly zip_code: string | null;
  readonly city: string | null;
  /** ISO 3166-1 alpha-2 */
  readonly country_key: string | null;
  readonly vat_number: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly bank_registration_number: string | null;
  readonly bank_account_number: string | null;
  readonly iban: string | null;
  readonly swift: string | null;
  /** The CVR number, eight digits. Absent where it is that of the Danish VAT number. */
  readonly registration_number?: string;
  /** `0088:5798009811578`. Absent where it is 0184 and the registration number. */
  readonly einvoice_address?: string;
  /** The person or department that buyers ask about an e-invoice. */
  readonly contact_name?: string;
  /** The creditor number of payment slips, with their card type; both or neither. */
  readonly fik_creditor_number?: string;
  readonly fik_card_type?: FikCardType;
  /** `#rrggbb`; absent for black. */
  readonly accent_color?: string;
  readonly logo?: SellerLogo;
}

/** A picture, identified by the hash of its bytes, which are kept as long as a document refers to them. */
export interface SellerLogo {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly content_type: "image/png" | "image/jpeg";
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The customer as it was at booking, with the names of the interface's customer resource. */
export interface DocumentCustomer {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
  readonly is_person: boolean;
  readonly street: string | null;
  readonly zip_code: string | null;
  readonly city: string | null;
  /** ISO 3166-1 alpha-2 */
  readonly country_key: string | null;
  readonly att_person: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly vat_number: string | null;
  readonly ean_number: string | null;
  readonly se_number: string | null;
  readonly p_number: string | null;
  readonly external_reference: string | null;
  readonly invoice_mail_out_option_key: string | null;
  readonly payment_mean: string | null;
}

export interface PaymentTerms {
  readonly type: "Netto" | "NettoCash" | "CurrentMonthOut";
  readonly days: number;
  /** YYYY-MM-DD */
  readonly due_date: string;
}

interface CreditedInvoice {
  /** The invoice's guid in the ledger; absent where another ledger booked the invoice, and on older credit notes. */
  readonly invoice_id?: string;
  readonly invoice_number: bigint;
  /** The year of the number, where another ledger booked the invoice and its numbers restart each year. */
  readonly invoice_year?: number;
  /** YYYY-MM-DD */
  readonly invoice_date: string;
}

/** Returns the number of a credited invoice as it is printed, with its year where the number alone is not unique: `118 (2026)`. */
export function creditedNumber({ invoice_number, invoice_year }: CreditedInvoice): string {
  return invoice_year === undefined
    ? String(invoice_number)
    : `${invoice_number} (${invoice_year})`;
}

/** A line; its net is the sum of the nets of its rows. */
export interface DocumentLine {
  readonly line_id: string;
  readonly position: number;
  readonly text: string;
  readonly product_number: string | null;
  readonly unit: string;
  /** YYYY-MM-DD; both or neither. */
  readonly service_from: string | null;
  readonly service_to: string | null;
  /** On the credit note of a cancellation: the credited days of the service. Older ones have none. */
  readonly credited_service?: { readonly from: string; readonly to: string };
  /** The first and the last date of the hours that the line bills; absent when it bills none. */
  readonly worked?: { readonly from: string; readonly to: string };
  readonly account_number: number;
  readonly vat_code: VatCode;
  /** Hundredths of a percent: 2500 is 25 %. */
  readonly vat_rate: number;
  readonly net: bigint;
  readonly net_functional: bigint;
  readonly rows: readonly DocumentRow[];
}

/** Returns the lines that are printed: all except lines by hours that bill no hours, which have no rows. */
export function printedLines({ lines }: Pick<DocumentSnapshot, "lines">): readonly DocumentLine[] {
  return lines.filter((line) => line.rows.length > 0);
}

/** One quantity at one price; a line by hours has one row for each rate. */
export interface DocumentRow {
  /** Hundredths of the unit: 2750 is 27.50 hours. */
  readonly quantity: number;
  /** 1/10000 of the currency's unit: 12000000n is 1200.0000. */
  readonly unit_price_scaled: bigint;
  /** Hundredths of a percent: 500 is 5 %. */
  readonly discount: number;
  readonly net: bigint;
}

export interface DocumentVat {
  readonly vat_code: VatCode;
  /** Hundredths of a percent. */
  readonly rate: number;
  readonly base: bigint;
  readonly vat: bigint;
  readonly vat_functional: bigint;
  /** Null where VAT is charged. */
  readonly reason: VatReason | null;
}

export interface DocumentTotals {
  readonly net: bigint;
  readonly vat: bigint;
  readonly gross: bigint;
}
