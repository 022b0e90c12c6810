/**
 * Completes a document with the amounts that the ledger has booked (spec 9.8). VAT may differ by a minor unit for each VAT code
 * that is charged; the ledger's VAT and gross then become the document's. The rate and the functional amounts that the ledger
 * reports replace ours: each line is converted at the ledger's rate and rounded, and the remainder goes to the largest line.
 */
import type { DocumentSnapshot, DocumentVat } from "./document.ts";
import { functional } from "./totals.ts";

/** The amounts that a ledger reports for a booking, in minor units. */
interface LedgerAmounts {
  /** In the document's currency; null when the ledger does not report them. */
  readonly totals: { readonly net: bigint; readonly vat: bigint; readonly gross: bigint } | null;
  /** In the ledger's currency; absent when the ledger does not report them. */
  readonly functional?: {
    readonly rate_micro: bigint;
    readonly gross: bigint;
    readonly vat: bigint;
  };
}

/** Returns the document with the ledger's amounts; null when these amounts must belong to another document. */
export function completedBy(
  document: DocumentSnapshot,
  amounts: LedgerAmounts,
): DocumentSnapshot | null {
  const taxed = withTotals(document, amounts.totals);
  if (taxed === null) return null;
  const is_foreign = document.currency !== document.functional_currency;
  if (!is_foreign) return taxed;
  if (amounts.functional === undefined) return hasRate(document) ? taxed : null;
  return converted(taxed, amounts.functional);
}

function hasRate({ rate_micro }: DocumentSnapshot): boolean {
  return rate_micro !== null && rate_micro > 0n;
}

function withTotals(
  document: DocumentSnapshot,
  totals: LedgerAmounts["totals"],
): DocumentSnapshot | null {
  if (totals === null) return document;
  const { net, vat, gross } = totals;
  const left = vat - document.totals.vat;
  if (net !== document.totals.net || gross !== net + vat) return null;
  if (left === 0n) return document;
  const charged = document.vat.filter(({ rate }) => rate > 0).sort(byBase);
  const step = left > 0n ? 1n : -1n;
  const changed = new Set(charged.slice(0, Number(left * step)));
  if (BigInt(changed.size) !== left * step) return null;
  return {
    ...document,
    vat: document.vat.map((entry) => {
      if (!changed.has(entry)) return entry;
      const own = entry.vat + step;
      return { ...entry, vat: own, vat_functional: taxOf(document, own) };
    }),
    totals: { net, vat, gross },
  };
}

function byBase(a: DocumentVat, b: DocumentVat): number {
  if (a.base === b.base) return 0;
  return a.base > b.base ? -1 : 1;
}

function taxOf(document: DocumentSnapshot, vat: bigint): bigint {
  return functional(vat, conversionOf(document, document.rate_micro));
}

function converted(
  document: DocumentSnapshot,
  { rate_micro, gross, vat }: NonNullable<LedgerAmounts["functional"]>,
): DocumentSnapshot | null {
  const conversion = conversionOf(document, rate_micro);
  const lines = spread(
    document.lines.map(({ net }) => functional(net, conversion)),
    gross - vat,
  );
  const taxes = spread(
    document.vat.map((entry) => functional(entry.vat, conversion)),
    vat,
  );
  if (lines === null || taxes === null || rate_micro <= 0n) return null;
  const is_same_rate = rate_micro === document.rate_micro;
  return {
    ...document,
    rate_micro,
    // The ledger uses the rate of the document's date.
    ...(is_same_rate ? {} : { rate_date: document.issue_date }),
    lines: document.lines.map((line, at) => ({ ...line, net_functional: lines[at] ?? 0n })),
    vat: document.vat.map((entry, at) => ({ ...entry, vat_functional: taxes[at] ?? 0n })),
  };
}

function conversionOf(document: DocumentSnapshot, rate_micro: bigint | null) {
  const { currency_digits: from_digits, functional_digits: to_digits } = document;
  return rate_micro === null ? null : { rate_micro, from_digits, to_digits };
}

/** Returns the parts, with the remainder to the sum added to the first largest part; null if no part can take it. */
function spread(parts: readonly bigint[], sum: bigint): bigint[] | null {
  const left = sum - parts.reduce((all, part) => all + part, 0n);
  if (left === 0n) return [...parts];
  // A larger remainder than rounding can leave: the sum does not follow from the rate.
  if (abs(left) * 1_000n > abs(sum) + 1_000n * BigInt(parts.length)) return null;
  let largest = -1;
  for (const [at, part] of parts.entries()) {
    if (largest < 0 || abs(part) > abs(parts[largest] ?? 0n)) largest = at;
  }
  return largest < 0 ? null : parts.map((part, at) => (at === largest ? part + left : part));
}

function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
