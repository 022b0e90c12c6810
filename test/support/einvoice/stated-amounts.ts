/** Compares what was read back from the bytes of an e-invoice with the answer of `/totals`, and with nothing else of this service. */
import {
  type BusinessTerm,
  type ReadEinvoice,
  termValue,
} from "../../../src/domain/einvoice/business-terms.ts";
import type { Json } from "../world/world.ts";

/** Returns what differs, such as `BT-112: 125.01, not 125.00`. `digits` are those of the currency. */
export function statedFaults(read: ReadEinvoice, totals: Json, digits: number): string[] {
  // OIOUBL has two decimals in every currency.
  const decimals = read.syntax === "oioubl" ? Math.max(2, digits) : digits;
  const differs = (terms: readonly BusinessTerm[], term: string, expected: number): string[] => {
    const values = terms.filter((one) => one.term === term);
    const stated = values.map(({ value, qualifier }) => `${value} ${qualifier ?? totals.currency}`);
    const wanted = `${expected.toFixed(decimals)} ${totals.currency}`;
    return stated.join() === wanted ? [] : [`${term}: ${stated.join()}, not ${wanted}`];
  };
  const rows: readonly Json[] = totals.lines.flatMap((line: Json) => line.rows);
  const { net, vat, gross } = totals;
  return [
    ...(read.lines.length === rows.length
      ? []
      : [`${read.lines.length} lines, not ${rows.length}`]),
    ...rows.flatMap((row, at) => differs(read.lines[at] ?? [], "BT-131", row.net)),
    ...differs(read.totals, "BT-106", net),
    ...differs(read.totals, "BT-109", net),
    ...differs(read.totals, "BT-110", vat),
    ...differs(read.totals, "BT-112", gross),
    ...differs(read.totals, "BT-115", gross),
    ...breakdownFaults(read, totals.vat_breakdown, decimals),
  ];
}

/** The breakdowns of each rate together, because two codes may share a category. */
function breakdownFaults(read: ReadEinvoice, booked: readonly Json[], decimals: number): string[] {
  const minor = (amount: unknown) => Math.round(Number(amount) * 10 ** decimals);
  const stated = read.vat.map((terms) => ({
    rate: Number(termValue(terms, "BT-119") ?? 0),
    base: minor(termValue(terms, "BT-116")),
    vat: minor(termValue(terms, "BT-117")),
  }));
  const wanted = booked.map(({ rate, base, vat }) => ({
    rate,
    base: minor(base),
    vat: minor(vat),
  }));
  const [is, should] = [byRate(stated), byRate(wanted)];
  return is === should ? [] : [`VAT by rate: ${is}, not ${should}`];
}

/** Returns base and VAT of each rate with an amount, in minor units, as one text. */
export function byRate(entries: readonly { rate: number; base: number; vat: number }[]): string {
  const sums = new Map<number, [base: number, vat: number]>();
  for (const { rate, base, vat } of entries) {
    const [base_before, vat_before] = sums.get(rate) ?? [0, 0];
    sums.set(rate, [base_before + base, vat_before + vat]);
  }
  const with_amount = [...sums].filter(([, [base, vat]]) => base !== 0 || vat !== 0);
  return JSON.stringify(with_amount.sort(([a], [b]) => a - b));
}
