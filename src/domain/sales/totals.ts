/** Totals of a document (spec 10.1). VAT is computed per code on the net sum. No rounded amount is rounded again. */

import { convert, type Money, type Percent, percentOf } from "../base/money.ts";
import type { DocumentTotals, DocumentVat } from "./document.ts";
import { type VatCode, vatCodes, vatReasonOf } from "./vat-code.ts";

export interface TaxedLine {
  readonly net: Money;
  readonly vat_code: VatCode;
  readonly vat_rate: Percent;
}

/** The data for converting a document's amounts to functional currency; null when the document is in functional currency. */
export interface Conversion {
  readonly rate_micro: bigint;
  readonly from_digits: number;
  readonly to_digits: number;
}

/** Converts an amount to functional currency, rounded; returns the amount itself without a conversion. */
export function functional(amount: Money, conversion: Conversion | null): Money {
  if (conversion === null) return amount;
  return convert(amount, conversion.rate_micro, conversion.from_digits, conversion.to_digits);
}

export function totalsOf(
  lines: readonly TaxedLine[],
  conversion: Conversion | null,
): { readonly totals: DocumentTotals; readonly vat: DocumentVat[] } {
  const vat = vatCodes.flatMap((vat_code): DocumentVat[] => {
    const taxed = lines.filter((line) => line.vat_code === vat_code);
    const first = taxed[0];
    if (first === undefined) return [];
    const base = taxed.reduce((sum, line) => sum + line.net, 0n);
    const amount = percentOf(base, first.vat_rate);
    return [
      {
        vat_code,
        rate: first.vat_rate,
        base,
        vat: amount,
        vat_functional: functional(amount, conversion),
        reason: vatReasonOf[vat_code],
      },
    ];
  });
  const net = lines.reduce((sum, line) => sum + line.net, 0n);
  const tax = vat.reduce((sum, entry) => sum + entry.vat, 0n);
  return { totals: { net, vat: tax, gross: net + tax }, vat };
}
