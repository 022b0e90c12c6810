/**
 * A document with the amounts that a ledger has booked: which amounts are taken over, and which belong to another document (spec
 * 9.8).
 */
import { describe, expect, it } from "vitest";
import type { DocumentSnapshot } from "./document.ts";
import { completedBy } from "./ledger-amounts.ts";

interface Given {
  readonly nets: readonly bigint[];
  readonly taxes: readonly (readonly [rate: number, base: bigint, vat: bigint])[];
  readonly currency?: string;
  readonly rate_micro?: bigint | null;
}

function documentWith({ nets, taxes, currency = "DKK", rate_micro = null }: Given) {
  const net = nets.reduce((sum, one) => sum + one, 0n);
  const vat = taxes.reduce((sum, [, , one]) => sum + one, 0n);
  return {
    currency,
    currency_digits: 2,
    functional_currency: "DKK",
    functional_digits: 2,
    rate_micro,
    issue_date: "2026-03-10",
    lines: nets.map((one) => ({ net: one, net_functional: one })),
    vat: taxes.map(([rate, base, one]) => ({ rate, base, vat: one, vat_functional: one })),
    totals: { net, vat, gross: net + vat },
  } as unknown as DocumentSnapshot;
}

const DOMESTIC = documentWith({
  nets: [10_000n, 333n],
  taxes: [
    [2_500, 10_000n, 2_500n],
    [2_500, 333n, 83n],
    [0, 0n, 0n],
  ],
});
const EUROS: Given = {
  nets: [1_001n, 2_002n],
  taxes: [[2_500, 3_003n, 751n]],
  currency: "EUR",
  rate_micro: 7_460_000n,
};

const totals = (net: bigint, vat: bigint, gross = net + vat) => ({ totals: { net, vat, gross } });
const taxesOf = (one: DocumentSnapshot | null) => one?.vat.map(({ vat }) => vat);

describe("the totals of a ledger", () => {
  it.each<[string, bigint, readonly bigint[]]>([
    ["the same", 2_583n, [2_500n, 83n, 0n]],
    ["a unit more goes to the code with the largest base", 2_584n, [2_501n, 83n, 0n]],
    ["a unit less as well", 2_582n, [2_499n, 83n, 0n]],
    ["a unit for each code that charges VAT", 2_585n, [2_501n, 84n, 0n]],
  ])("are taken over: %s", (_what, vat, taxes) => {
    const completed = completedBy(DOMESTIC, totals(10_333n, vat));

    expect(taxesOf(completed)).toEqual(taxes);
    expect(completed?.totals).toEqual({ net: 10_333n, vat, gross: 10_333n + vat });
    expect(completed?.vat.map((one) => one.vat_functional)).toEqual(taxes);
  });

  it.each([
    ["more than a unit for each code", totals(10_333n, 2_586n)],
    ["another net", totals(10_334n, 2_583n)],
    ["a gross that is not their sum", totals(10_333n, 2_583n, 12_917n)],
  ])("are refused as those of another document: %s", (_what, given) => {
    expect(completedBy(DOMESTIC, given)).toBeNull();
  });

  it("leave the document unchanged when the ledger reports none", () => {
    expect(completedBy(DOMESTIC, { totals: null })).toBe(DOMESTIC);
  });
});

describe("the rate of a ledger", () => {
  const functional = { rate_micro: 7_450_000n, gross: 27_968n, vat: 5_595n };

  it("replaces our rate line by line, and the remainder goes to the largest line", () => {
    const completed = completedBy(documentWith(EUROS), { totals: null, functional });

    // 7,457.45 and 14,914.90 rounded, with the remaining unit on the larger; VAT 5,594.95.
    expect(completed?.lines.map((line) => line.net_functional)).toEqual([7_457n, 14_916n]);
    expect(completed?.vat.map((one) => one.vat_functional)).toEqual([5_595n]);
    expect(completed).toMatchObject({ rate_micro: 7_450_000n, rate_date: "2026-03-10" });
  });

  it("is used where the document has none", () => {
    const without = documentWith({ ...EUROS, rate_micro: null });

    expect(completedBy(without, { totals: null, functional })?.rate_micro).toBe(7_450_000n);
    expect(completedBy(without, { totals: null })).toBeNull();
    expect(completedBy(documentWith(EUROS), { totals: null })).not.toBeNull();
  });

  it("is refused where its amounts do not follow from the document", () => {
    const wrong = { ...functional, gross: 30_000n };
    expect(completedBy(documentWith(EUROS), { totals: null, functional: wrong })).toBeNull();
    const none = { rate_micro: 0n, gross: 0n, vat: 0n };
    expect(completedBy(documentWith(EUROS), { totals: null, functional: none })).toBeNull();
  });
});
