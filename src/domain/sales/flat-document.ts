/** A document as rows that add up: the VAT, which is computed by code and not by line, is allocated to the rows. */

import { type Money, round } from "../base/money.ts";
import type { DocumentLine, DocumentRow, DocumentSnapshot, DocumentVat } from "./document.ts";

/** One printed row. A line without any, for example by hours without work, has one row without quantity and price. */
export interface FlatRow {
  readonly line: DocumentLine;
  /** The number of the row in its line, from 1. */
  readonly place: number;
  readonly row: Pick<DocumentRow, "quantity" | "unit_price_scaled" | "discount"> | null;
  /** In minor units of the document's currency. */
  readonly net: Money;
  readonly vat: Money;
  /** In minor units of the functional currency. */
  readonly net_functional: Money;
  readonly vat_functional: Money;
}

/** Returns the rows in printed order. Net and VAT in both currencies add up to the document's, by line and VAT code. */
export function flatRows({
  lines,
  vat,
}: Pick<DocumentSnapshot, "lines" | "vat">): readonly FlatRow[] {
  const rows = lines.flatMap(rowsOf);
  const taxes = new Map(vat.map((entry) => [entry.vat_code, entry]));
  const shares = new Map<string, FlatVat[]>();
  for (const [code, entry] of taxes) {
    const taxed = rows.filter(({ line }) => line.vat_code === code);
    shares.set(code, vatOf(entry, taxed));
  }
  return rows.map((row) => ({
    ...row,
    ...(shares.get(row.line.vat_code)?.shift() ?? { vat: 0n, vat_functional: 0n }),
  }));
}

type FlatVat = Pick<FlatRow, "vat" | "vat_functional">;

function vatOf(entry: DocumentVat, rows: readonly { readonly net: Money }[]): FlatVat[] {
  const nets = rows.map(({ net }) => net);
  const in_functional = sharesOf(entry.vat_functional, nets);
  return sharesOf(entry.vat, nets).map((vat, index) => ({
    vat,
    vat_functional: in_functional[index] ?? 0n,
  }));
}

function rowsOf(line: DocumentLine): Omit<FlatRow, keyof FlatVat>[] {
  if (line.rows.length === 0) {
    const { net, net_functional } = line;
    return [{ line, place: 1, row: null, net, net_functional }];
  }
  const functional = sharesOf(
    line.net_functional,
    line.rows.map(({ net }) => net),
  );
  return line.rows.map((row, index) => ({
    line,
    place: index + 1,
    row,
    net: row.net,
    net_functional: functional[index] ?? 0n,
  }));
}

/** Allocates an amount by weights of at least 0, with running totals; the last share takes the amount that no weight takes. */
function sharesOf(amount: Money, weights: readonly Money[]): Money[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  let [weighed, given] = [0n, 0n];
  return weights.map((weight, index) => {
    weighed += weight;
    const is_last = index === weights.length - 1;
    const due = is_last ? amount : whole === 0n ? 0n : round(amount * weighed, whole);
    const share = due - given;
    given = due;
    return share;
  });
}
