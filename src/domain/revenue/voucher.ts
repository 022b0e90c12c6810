/**
 * Defines the content of a voucher, frozen at its booking (spec 3.5). The voucher of an accrual moves revenue between months,
 * without VAT and in functional currency; a reversal is the same voucher with every sign changed. A voucher may also open the
 * contract balances of new books (spec 9.11).
 */

import type { Money } from "../base/money.ts";
import type { VatCode } from "../sales/vat-code.ts";
import type { AccrualRole } from "./accrual.ts";

export interface VoucherSnapshot {
  readonly kind: "voucher";
  /** The voucher's guid in the ledger. */
  readonly document_id: string;
  /** The reference by which a ledger without guids finds the voucher again: `accrual:<id>:<revision>` or `move:<id>`. */
  readonly reference: string;
  /** Null for opening balances, which are those of all customers. */
  readonly customer: { readonly id: string; readonly name: string } | null;
  /** YYYY-MM-DD: the last day of the accrual's month, or the first day of new books. */
  readonly issue_date: string;
  readonly text: string;
  readonly currency: string;
  readonly entries: readonly VoucherEntry[];
  /** The guid of the voucher that this one reverses. */
  readonly reverses_guid: string | null;
}

/** Debit above 0, credit below, in minor units of the functional currency. */
export interface VoucherEntry {
  readonly account_role: AccrualRole | "opening";
  readonly account_number: number;
  /** For revenue in a connected ledger, which separates sales by VAT treatment; the voucher has no VAT. */
  readonly vat_code?: VatCode;
  readonly amount: Money;
}

/** Returns the text of a voucher: `Accrual 2025-03 Acme A/S (incl. corrections from 2025-02)`. */
export function voucherText(
  month: string,
  customer: string,
  original_month: string | null,
): string {
  const carried = original_month === null ? "" : ` (incl. corrections from ${original_month})`;
  return `Accrual ${month} ${customer}${carried}`;
}

/** Returns the voucher that reverses another one, with its own guid and reference. */
export function reversalOf(voucher: VoucherSnapshot, document_id: string): VoucherSnapshot {
  return {
    ...voucher,
    document_id,
    reference: `${voucher.reference}:reversal`,
    text: `Reversal of ${voucher.text}`,
    entries: voucher.entries.map((entry) => ({ ...entry, amount: -entry.amount })),
    reverses_guid: voucher.document_id,
  };
}
