/** What the keys of a list and its selection mean, without a page: the next row, and the sums of the selected rows. */

/** A selected row: its amount in minor units as text, and the currency; a row without an amount is only counted. */
interface PickedRow {
  readonly minor: string | undefined;
  readonly currency: string | undefined;
}

/** Returns the sum of the selected rows in each currency, in minor units, the currencies in alphabetical order. */
export function sumsOf(picked: readonly PickedRow[]): readonly (readonly [string, bigint])[] {
  const sums = new Map<string, bigint>();
  for (const { minor, currency } of picked) {
    if (minor === undefined || currency === undefined) continue;
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor));
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the row that the key leads to: J down and K up; the first row if none has the focus. Null for other keys. */
export function rowAfter(key: string, at: number, count: number): number | null {
  const step = { j: 1, k: -1 }[key.toLowerCase()];
  if (step === undefined || count === 0) return null;
  if (at < 0) return 0;
  return Math.min(count - 1, Math.max(0, at + step));
}

/** Returns the text of a button that names what is selected. `one` and `many` have places for the number `{n}` and the sum `{sum}`. */
export function namedText(
  {
    one = "",
    many = "",
  }: { readonly one?: string | undefined; readonly many?: string | undefined },
  count: number,
  sum: string,
): string {
  const text = count === 1 ? one : many;
  return text.replace("{n}", () => `${count}`).replace("{sum}", () => sum);
}
