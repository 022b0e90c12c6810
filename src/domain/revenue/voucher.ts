/**
 * What the voucher of an accrual says, frozen at its booking (spec 3.5). It moves revenue between
 * the months, without VAT and in functional currency; a reversal is the same with every sign turned.
 */

import type { Money } from "../base/money.ts";
import type { VatCode } from "../sales/vat-code.ts";
import type { AccrualRole } from "./accrual.ts";

export interface VoucherSnapshot {
  readonly kind: "voucher";
  /** The voucher's guid in the ledger. */
  readonly document_id: string;
  /** By which a ledger without guids finds it again: `accrual:<id>:<revision>`. */
  readonly reference: string;
  readonly customer: { readonly id: string; readonly name: string };
  /** YYYY-MM-DD, the last day of the accrual's month. */
  readonly issue_date: string;
  readonly text: string;
  readonly currency: string;
  readonly entries: readonly VoucherEntry[];
  /** The guid of the voucher that it takes back. */
  readonly reverses_guid: string | null;
}

/** Debit above 0, credit below, in minor units of the functional currency. */
export interface VoucherEntry {
  readonly account_role: AccrualRole;
  readonly account_number: number;
  /** Of revenue in a connected ledger, which keeps sales by how they are taxed; the voucher carries no VAT. */
  readonly vat_code?: VatCode;
  readonly amount: Money;
}

/** `Accrual 2025-03 Acme A/S (incl. corrections from 2025-02)`. */
export function voucherText(
  month: string,
  customer: string,
  original_month: string | null,
): string {
  const carried = original_month === null ? "" : ` (incl. corrections from ${original_month})`;
  return `Accrual ${month} ${customer}${carried}`;
}

/** The voucher that takes another one back, under a guid and reference of its own. */
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
