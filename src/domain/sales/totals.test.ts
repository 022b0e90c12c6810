/**
 * Totals of documents, also compared with official example invoices, which are independent of this project. Their groups of
 * category and rate correspond to our VAT codes; examples with allowances or charges on the whole document have no counterpart
 * here.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencyDigits } from "../base/currency.ts";
import { percentOf, scaledFromNumber, scaledToNumber } from "../base/money.ts";
import { functional, type TaxedLine, totalsOf } from "./totals.ts";
import { type VatCode, vatCodes } from "./vat-code.ts";

const taxed = (net: bigint, vat_code: VatCode = "DK25"): TaxedLine => ({
  net,
  vat_code,
  vat_rate: vat_code === "DK25" ? 25_00 : 0,
});

describe("totalsOf", () => {
  it("computes VAT per code and not per line: three times 0.33 is 0.25", () => {
    const { totals, vat } = totalsOf([taxed(33n), taxed(33n), taxed(33n)], null);
    expect(totals).toEqual({ net: 99n, vat: 25n, gross: 124n });
    expect(vat).toHaveLength(1);
  });

  it("lists one entry for each code in use, in the fixed order, with its reason", () => {
    const lines = [taxed(100n, "EXPORT_SERVICES"), taxed(200n), taxed(50n, "DK0"), taxed(1n)];
    expect(totalsOf(lines, null).vat).toEqual([
      { vat_code: "DK25", rate: 25_00, base: 201n, vat: 50n, vat_functional: 50n, reason: null },
      { vat_code: "DK0", rate: 0, base: 50n, vat: 0n, vat_functional: 0n, reason: "exempt" },
      {
        vat_code: "EXPORT_SERVICES",
        rate: 0,
        base: 100n,
        vat: 0n,
        vat_functional: 0n,
        reason: "outside_scope",
      },
    ]);
  });

  it("is 0 without lines", () => {
    expect(totalsOf([], null)).toEqual({ totals: { net: 0n, vat: 0n, gross: 0n }, vat: [] });
  });

  it("converts the rounded VAT, not the base", () => {
    const conversion = { rate_micro: 7_460_000n, from_digits: 2, to_digits: 2 };
    const { vat } = totalsOf([taxed(10n)], conversion);
    expect(vat[0]).toMatchObject({ vat: 3n, vat_functional: 22n });
    expect(functional(10n, null)).toBe(10n);
  });

  it("adds up for any lines", () => {
    const line = fc.record({
      net: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      vat_code: fc.constantFrom(...vatCodes),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (drawn) => {
        const { totals, vat } = totalsOf(
          drawn.map(({ net, vat_code }) => taxed(net, vat_code)),
          null,
        );
        expect(totals.net).toBe(sum(drawn.map(({ net }) => net)));
        expect(sum(vat.map(({ base }) => base))).toBe(totals.net);
        expect(sum(vat.map((entry) => entry.vat))).toBe(totals.vat);
        expect(totals.gross).toBe(totals.net + totals.vat);
        for (const { base, rate, vat: amount } of vat) expect(amount).toBe(percentOf(base, rate));
      }),
    );
  });

  it("does not depend on the order of the lines", () => {
    const nets = fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { maxLength: 10 });
    fc.assert(
      fc.property(nets, (drawn) => {
        const lines = drawn.map((net, index) => taxed(net, index % 2 === 0 ? "DK25" : "DK0"));
        expect(totalsOf([...lines].reverse(), null)).toEqual(totalsOf(lines, null));
      }),
    );
  });
});

interface Example {
  readonly id: string;
  readonly currency: string;
  readonly lines: readonly (Taxed & { readonly net: string })[];
  /** Allowances and charges on the whole document. */
  readonly allowances?: readonly unknown[];
  readonly vat: readonly (Taxed & { readonly base: string; readonly amount: string })[];
  readonly totals: { readonly net: string; readonly vat: string; readonly gross: string };
  /** The VAT if it were rounded line by line. */
  readonly vat_by_line?: string;
}

const EXAMPLES = new URL("../../../test/data/document-totals.json", import.meta.url);

describe("official example invoices", () => {
  const examples = JSON.parse(readFileSync(EXAMPLES, "utf8")) as Example[];
  const expressible = examples.filter(
    ({ allowances, lines }) => allowances === undefined && groupsOf(lines).length <= 7,
  );

  it("are mostly expressible", () => {
    expect(expressible.length).toBeGreaterThan(20);
    expect(expressible.some(({ vat_by_line }) => vat_by_line !== undefined)).toBe(true);
  });

  it.each(expressible.map((example) => [example.id, example] as const))("%s", (_, example) => {
    const digits = currencyDigits(example.currency);
    const groups = groupsOf(example.lines);
    const { totals, vat } = totalsOf(
      example.lines.map((line) => ({
        net: minor(line.net, digits),
        vat_code: codeFor(groups, line),
        vat_rate: percent(line.vat_rate),
      })),
      null,
    );
    expect(totals).toEqual({
      net: minor(example.totals.net, digits),
      vat: minor(example.totals.vat, digits),
      gross: minor(example.totals.gross, digits),
    });
    expect(example.vat_by_line).not.toBe(example.totals.vat);
    for (const group of example.vat) {
      expect(vat).toContainEqual(
        expect.objectContaining({
          vat_code: codeFor(groups, group),
          rate: percent(group.vat_rate),
          base: minor(group.base, digits),
          vat: minor(group.amount, digits),
        }),
      );
    }
    expect(vat).toHaveLength(example.vat.length);
  });
});

interface Taxed {
  readonly vat_category: string;
  readonly vat_rate?: string | null;
}

function groupsOf(lines: readonly Taxed[]): string[] {
  return [...new Set(lines.map(groupOf))];
}

function groupOf(line: Taxed): string {
  return `${line.vat_category} ${percent(line.vat_rate)}`;
}

function codeFor(groups: readonly string[], line: Taxed): VatCode {
  return vatCodes[groups.indexOf(groupOf(line))] ?? "DK25";
}

function percent(rate: string | null | undefined): number {
  return Number(minor(rate ?? "0", 2));
}

function minor(text: string, digits: number): bigint {
  const value = scaledFromNumber(Number(text), digits);
  if (typeof value === "string") throw new Error(`${text}: ${value}`);
  expect(scaledToNumber(value, digits)).toBe(Number(text));
  return value;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
