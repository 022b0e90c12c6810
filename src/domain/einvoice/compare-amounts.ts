/**
 * Compares the amounts in the bytes of an e-invoice with the booked ones. The official rules tolerate a wrong cent, this
 * comparison does not.
 */
import type { DocumentSnapshot } from "../sales/document.ts";
import { flatRows } from "../sales/flat-document.ts";
import { type BusinessTerm, type ReadEinvoice, termValue } from "./business-terms.ts";

type Booked = Pick<
  DocumentSnapshot,
  | "kind"
  | "lines"
  | "vat"
  | "totals"
  | "currency"
  | "currency_digits"
  | "functional_currency"
  | "functional_digits"
>;

/** Returns what differs, in words that name the term, the expected and the read value; empty where everything agrees. */
export function amountFaults(read: ReadEinvoice, booked: Booked): string[] {
  const { currency, totals } = booked;
  const text = (amount: bigint): string => statedOf(read, booked, amount);
  return [
    ...(read.kind === booked.kind ? [] : [`it is read as ${read.kind}, and is ${booked.kind}`]),
    ...differs(read.document, "BT-5", currency),
    ...differs(read.totals, "BT-106", text(totals.net), currency),
    ...differs(read.totals, "BT-109", text(totals.net), currency),
    ...differs(read.totals, "BT-110", text(totals.vat), currency),
    ...differs(read.totals, "BT-112", text(totals.gross), currency),
    ...differs(read.totals, "BT-115", text(totals.gross), currency),
    ...functionalFaults(read, booked),
    ...lineFaults(read, booked),
    ...vatFaults(read, booked),
  ];
}

/** VAT in the currency of the books, which OIOUBL does not state. */
function functionalFaults(read: ReadEinvoice, booked: Booked): string[] {
  const { functional_currency, functional_digits } = booked;
  const vat = booked.vat.reduce((sum, { vat_functional }) => sum + vat_functional, 0n);
  const is_wanted =
    read.syntax !== "oioubl" && booked.currency !== functional_currency && vat !== 0n;
  if (!is_wanted && !read.totals.some(({ term }) => term === "BT-111")) return [];
  return differs(read.totals, "BT-111", textOf(vat, functional_digits), functional_currency);
}

/** OIOUBL states two decimals in currencies without any, too. */
function statedDigits({ syntax }: ReadEinvoice, { currency_digits: digits }: Booked): number {
  return syntax === "oioubl" ? Math.max(digits, 2) : digits;
}

function statedOf(read: ReadEinvoice, booked: Booked, amount: bigint): string {
  const digits = statedDigits(read, booked);
  return textOf(amount * 10n ** BigInt(digits - booked.currency_digits), digits);
}

function lineFaults(read: ReadEinvoice, booked: Booked): string[] {
  const { lines } = read;
  const rows = flatRows(booked).filter(({ row }) => row !== null);
  if (lines.length !== rows.length) return [`it has ${lines.length} lines, and not ${rows.length}`];
  return rows.flatMap(({ net }, at) =>
    differs(lines[at] ?? [], "BT-131", statedOf(read, booked, net), booked.currency).map(
      (fault) => `line ${at + 1}: ${fault}`,
    ),
  );
}

/**
 * The breakdowns of one rate together: which codes share a breakdown depends on the syntax. A rate without an amount is not compared: the
 * books have one of hours that were not worked, which no line states.
 */
function vatFaults(read: ReadEinvoice, booked: Booked): string[] {
  const { vat } = read;
  const digits = statedDigits(read, booked);
  const scale = 10n ** BigInt(digits - booked.currency_digits);
  const expected = new Map<string, { base: bigint; vat: bigint }>();
  for (const { rate, base, vat: tax } of booked.vat) {
    const key = textOf(BigInt(rate), 2);
    const sum = expected.get(key) ?? { base: 0n, vat: 0n };
    expected.set(key, { base: sum.base + base * scale, vat: sum.vat + tax * scale });
  }
  const found = new Map<string, { base: bigint; vat: bigint }>();
  for (const terms of vat) {
    const key = textOf(minorFrom(termValue(terms, "BT-119") ?? "0", 2) ?? 0n, 2);
    const sum = found.get(key) ?? { base: 0n, vat: 0n };
    const base = minorFrom(termValue(terms, "BT-116") ?? "", digits);
    const tax = minorFrom(termValue(terms, "BT-117") ?? "", digits);
    if (base === null || tax === null) return ["a VAT breakdown has no amount"];
    found.set(key, { base: sum.base + base, vat: sum.vat + tax });
  }
  const shown = (sums: ReadonlyMap<string, { base: bigint; vat: bigint }>): string =>
    [...sums]
      .filter(([, sum]) => sum.base !== 0n || sum.vat !== 0n)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([rate, sum]) => `${rate} %: ${textOf(sum.base, digits)} and ${textOf(sum.vat, digits)}`)
      .join("; ");
  const [is, should] = [shown(found), shown(expected)];
  return is === should ? [] : [`its VAT is ${is}, and not ${should}`];
}

function differs(
  terms: readonly BusinessTerm[],
  term: string,
  expected: string,
  currency?: string,
): string[] {
  const found = terms.find((one) => one.term === term);
  if (found === undefined) return [`${term} is missing, and not ${expected}`];
  if (found.value !== expected) return [`${term} is ${found.value}, and not ${expected}`];
  if (currency !== undefined && found.qualifier !== currency && found.qualifier !== null) {
    return [`${term} is in ${found.qualifier}, and not in ${currency}`];
  }
  return [];
}

/** Minor units as decimal text with the digits of the currency: `1234.50`. */
function textOf(amount: bigint, digits: number): string {
  const [sign, whole] = amount < 0n ? ["-", -amount] : ["", amount];
  const padded = whole.toString().padStart(digits + 1, "0");
  const point = padded.length - digits;
  return digits === 0
    ? `${sign}${padded}`
    : `${sign}${padded.slice(0, point)}.${padded.slice(point)}`;
}

/** Decimal text as minor units; null for other text, and for more decimals than the currency has. */
function minorFrom(text: string, digits: number): bigint | null {
  const [, sign, whole, decimals = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || decimals.length > digits) return null;
  return BigInt(`${sign}${whole}${decimals.padEnd(digits, "0")}`);
}
