/**
 * The content of an e-invoice in the terms of EN 16931 (BT and BG numbers): what every syntax says, before it is written as UBL,
 * OIOUBL or CII. Amounts are those that were booked, in minor units; nothing in it is computed again.
 */

import type { FikCardType } from "../sales/fik.ts";

export interface ElectronicInvoice {
  readonly kind: "invoice" | "credit_note";
  /** BT-1: the number as buyers know it, with its year where numbers restart by year: `2026-47`. */
  readonly number: string;
  /** Our uuid of the document, for syntaxes that want one. */
  readonly document_id: string;
  /** BT-2, YYYY-MM-DD. */
  readonly issue_date: string;
  /** BT-9, YYYY-MM-DD; null on a credit note. */
  readonly due_date: string | null;
  /** BT-20, in the document's language; null on a credit note. */
  readonly payment_terms: string | null;
  /** BT-22: title, footer and what else is printed beside the lines; one entry a note. */
  readonly notes: readonly string[];
  readonly language: "da" | "en";
  /** BT-5, and the decimals of all amounts but `functional`. */
  readonly currency: string;
  readonly currency_digits: number;
  /** BT-6 and BT-111: the VAT in the currency of the books, where that is another one and the VAT is not 0. */
  readonly functional: {
    readonly currency: string;
    readonly digits: number;
    readonly vat: bigint;
  } | null;
  /** BT-10 */
  readonly buyer_reference: string | null;
  /** BT-13 */
  readonly order_reference: string | null;
  /** BT-19 */
  readonly accounting_cost: string | null;
  /** BG-3: the invoice that a credit note credits. */
  readonly preceding: { readonly number: string; readonly date: string } | null;
  /** BG-14: from the first to the last day of the service of any line. */
  readonly period: Days | null;
  /** BT-72 and BT-80: only where goods go to another EU country (category K). */
  readonly delivery: { readonly date: string; readonly country_key: string } | null;
  /** The last day of the service, else the date of the document: formats that always want a delivery date take this one. */
  readonly supply_date: string;
  readonly seller: ElectronicSeller;
  readonly buyer: ElectronicBuyer;
  /** BG-25, in printed order, numbered from 1. */
  readonly lines: readonly ElectronicLine[];
  /** BG-23: one for each category and rate. */
  readonly vat: readonly ElectronicVat[];
  readonly totals: { readonly net: bigint; readonly vat: bigint; readonly gross: bigint };
  /** BG-16; null where the seller has no account to pay to. */
  readonly payment: ElectronicPayment | null;
  /** BG-24: the pages of registered hours. */
  readonly attachments: readonly ElectronicAttachment[];
}

/** YYYY-MM-DD; both days are included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The code list of electronic addresses (EAS), and the address in it. */
export interface ElectronicAddress {
  readonly scheme: string;
  readonly value: string;
}

interface ElectronicParty {
  readonly name: string | null;
  readonly street: string | null;
  readonly zip_code: string | null;
  readonly city: string | null;
  /** ISO 3166-1 alpha-2; null while unknown. */
  readonly country_key: string | null;
  /** BT-34, BT-49; null where there is none (only Factur-X may leave it out). */
  readonly endpoint: ElectronicAddress | null;
  /** BT-31, BT-48, with the letters of its country; null where the document must not have one. */
  readonly vat_number: string | null;
  readonly contact: {
    readonly name: string | null;
    readonly phone: string | null;
    readonly email: string | null;
  };
}

export interface ElectronicSeller extends ElectronicParty {
  /** BT-30: the eight digits of the CVR number. */
  readonly registration_number: string | null;
}

export interface ElectronicBuyer extends ElectronicParty {
  /** BT-47: with scheme 0184 for a CVR number, without one for a number of another country. */
  readonly registration: { readonly scheme: string | null; readonly value: string } | null;
  /** BT-46: GLN, P number; with their schemes. */
  readonly identifiers: readonly ElectronicAddress[];
}

/** UNCL 5305, as EN 16931 uses it. */
export type VatCategory = "S" | "E" | "AE" | "K" | "G" | "O";

export interface ElectronicLine {
  /** The id and place of the row in our document, for messages: `lines[2]`, from 0. */
  readonly line_index: number;
  /** BT-153: at most 100 characters. */
  readonly name: string;
  /** BT-154; null where the name says it all. */
  readonly description: string | null;
  /** BT-155 */
  readonly product_number: string | null;
  /** BT-129 in hundredths of the unit. */
  readonly quantity: number;
  /** Our unit: `hours`, `parts`, …; each syntax has a table of codes. */
  readonly unit: string;
  /** BT-146 before discount, in 1/10000 of the currency's unit, never negative. */
  readonly unit_price_scaled: bigint;
  /** BG-27; null without a discount. */
  readonly discount: {
    /** Hundredths of a percent. */
    readonly percent: number;
    /** BT-137 and BT-136 in minor units; base - amount = net. */
    readonly base: bigint;
    readonly amount: bigint;
  } | null;
  /** BT-131: the booked net of the row. */
  readonly net: bigint;
  /** The share of the booked VAT (`flatRows`), for syntaxes that repeat VAT on lines. */
  readonly vat: bigint;
  /** BG-26 */
  readonly period: Days | null;
  readonly category: VatCategory;
  /** Hundredths of a percent. */
  readonly rate: number;
}

export interface ElectronicVat {
  readonly category: VatCategory;
  /** Hundredths of a percent; 0 for all but S. */
  readonly rate: number;
  readonly base: bigint;
  readonly vat: bigint;
  /** BT-120 and BT-121; null for S. */
  readonly reason: { readonly text: string; readonly code: string | null } | null;
}

/** BG-16, BG-17. The codes are those of UNCL 4461. */
export type ElectronicPayment = { readonly reference: string | null } & (
  | {
      readonly code: "93";
      readonly card_type: FikCardType;
      /** 15 digits with card type 71, 16 with 75; null with 73, which has none. */
      readonly payment_id: string | null;
      readonly creditor: string;
    }
  | { readonly code: "42"; readonly registration_number: string; readonly account_number: string }
  | {
      readonly code: "58" | "30";
      readonly iban: string;
      readonly swift: string | null;
    }
);

export interface ElectronicAttachment {
  readonly filename: string;
  readonly content: Uint8Array;
}
