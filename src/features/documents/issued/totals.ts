/** The totals of a document as the API shows them (spec 10.1). */

import type * as z from "zod";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { HOURS_DECIMALS, PERCENT_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import type { Warning } from "../../../domain/sales/warning.ts";
import type { Totals } from "./schemas.ts";

export function presentTotals(
  document: DocumentSnapshot,
  warnings: readonly Warning[],
): z.output<typeof Totals> {
  const money = (amount: bigint): number => scaledToNumber(amount, document.currency_digits);
  const percent = (value: number): number => scaledToNumber(BigInt(value), PERCENT_DECIMALS);
  return {
    object: "totals",
    currency: document.currency,
    net: money(document.totals.net),
    vat: money(document.totals.vat),
    gross: money(document.totals.gross),
    lines: document.lines.map((line) => ({
      line_id: line.line_id,
      net: money(line.net),
      rows: line.rows.map((row) => ({
        quantity: scaledToNumber(BigInt(row.quantity), HOURS_DECIMALS),
        unit_price: scaledToNumber(row.unit_price_scaled, RATE_DECIMALS),
        discount: percent(row.discount),
        net: money(row.net),
      })),
    })),
    vat_breakdown: document.vat.map(({ vat_code, rate, base, vat }) => ({
      vat_code,
      rate: percent(rate),
      base: money(base),
      vat: money(vat),
    })),
    ...(document.rate_date === undefined ? {} : { rate_date: document.rate_date }),
    warnings: [...warnings],
  };
}
