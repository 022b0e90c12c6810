import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentLine, DocumentVat } from "./document.ts";
import { flatRows } from "./flat-document.ts";
import type { VatCode } from "./vat-code.ts";

const line = (
  vat_code: VatCode,
  nets: readonly bigint[],
  fields: Partial<DocumentLine> = {},
): DocumentLine => {
  const net = nets.reduce((sum, one) => sum + one, 0n);
  return {
    line_id: "l",
    position: 1,
    text: "Work",
    product_number: null,
    unit: "hours",
    service_from: null,
    service_to: null,
    account_number: 1000,
    vat_code,
    vat_rate: 2500,
    net,
    net_functional: net,
    rows: nets.map((one) => ({
      quantity: 100,
      unit_price_scaled: one * 100n,
      discount: 0,
      net: one,
    })),
    ...fields,
  };
};

const tax = (vat_code: VatCode, base: bigint, vat: bigint, vat_functional = vat): DocumentVat => ({
  vat_code,
  rate: 2500,
  base,
  vat,
  vat_functional,
  reason: null,
});

describe("the rows of a document", () => {
  it.each([
    ["one line", [line("DK25", [10000n])], [tax("DK25", 10000n, 2500n)], [2500n]],
    [
      "VAT that differs when it is rounded by line",
      [line("DK25", [2n]), line("DK25", [2n]), line("DK25", [2n])],
      [tax("DK25", 6n, 2n)],
      // 0.67 and 1.33 of the running total.
      [1n, 0n, 1n],
    ],
    [
      "each code separately",
      [line("DK25", [100n]), line("DK0", [300n]), line("DK25", [100n])],
      [tax("DK25", 200n, 50n), tax("DK0", 300n, 0n)],
      [25n, 0n, 25n],
    ],
    ["rows of a line", [line("DK25", [100n, 300n])], [tax("DK25", 400n, 100n)], [25n, 75n]],
    ["a line without rows", [line("DK25", [])], [tax("DK25", 0n, 0n)], [0n]],
    [
      "VAT on lines of 0, left over by rounding",
      [line("DK25", [0n]), line("DK25", [0n])],
      [tax("DK25", 0n, 1n)],
      [0n, 1n],
    ],
  ])("have the VAT of %s", (_what, lines, vat, expected) => {
    expect(flatRows({ lines, vat }).map((row) => row.vat)).toEqual(expected);
  });

  it("contain a line without printed rows once, without quantity", () => {
    const [row, ...rest] = flatRows({ lines: [line("DK25", [])], vat: [] });
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ place: 1, row: null, net: 0n, vat: 0n });
  });

  it("distribute the functional amount of a line", () => {
    const lines = [line("DK25", [1n, 1n, 1n], { net_functional: 22n })];
    const rows = flatRows({ lines, vat: [tax("DK25", 3n, 1n, 6n)] });
    expect(rows.map((row) => row.net_functional)).toEqual([7n, 8n, 7n]);
    expect(rows.map((row) => row.vat_functional)).toEqual([2n, 2n, 2n]);
  });

  it("add up for any document", () => {
    const amounts = fc.array(fc.bigInt(0n, 10n ** 9n), { maxLength: 5 });
    const some = fc.array(
      fc.record({
        code: fc.constantFrom<VatCode>("DK25", "DK0", "EXPORT_GOODS"),
        nets: amounts,
        functional: fc.bigInt(0n, 10n ** 10n),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(some, fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 6 }), (made, taxes) => {
        const lines = made.map(({ code, nets, functional }) =>
          line(code, nets, { net_functional: functional }),
        );
        const codes = [...new Set(lines.map(({ vat_code }) => vat_code))];
        const vat = codes.map((code, at) => tax(code, 0n, taxes[at] ?? 0n, taxes[at + 3] ?? 0n));
        const rows = flatRows({ lines, vat });
        const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);
        for (const one of lines) {
          const own = rows.filter((row) => row.line === one);
          expect(sum(own.map((row) => row.net))).toBe(one.net);
          expect(sum(own.map((row) => row.net_functional))).toBe(one.net_functional);
        }
        for (const entry of vat) {
          const own = rows.filter((row) => row.line.vat_code === entry.vat_code);
          expect(sum(own.map((row) => row.vat))).toBe(entry.vat);
          expect(sum(own.map((row) => row.vat_functional))).toBe(entry.vat_functional);
        }
        expect(rows.every((row) => row.vat >= 0n && row.net_functional >= 0n)).toBe(true);
      }),
    );
  });
});
