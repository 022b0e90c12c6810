/** The voucher of a month: positions and movements (spec 2.6, 3.4 and 3.5). */
import { describe, expect, it } from "vitest";
import {
  Books,
  foreignLine,
  rowsIn,
  type Sale,
  sale,
  units,
  voucher,
} from "../../../test/support/revenue/books.ts";
import type { GivenLine } from "../../../test/support/revenue/revenue.ts";
import type { Accrual } from "./accrual.ts";

type Entries = ReturnType<typeof voucher>;

const hours = (...worked: readonly (readonly [string, number])[]): GivenLine => ({
  method: "hours",
  rate: 1_000,
  worked: worked.map(([date, count]) => ["anna", date, count]),
});
const year: GivenLine = {
  method: "value",
  agreed: 12_000_00n,
  service: ["2025-01-01", "2025-12-31"],
  issued: "2025-01-01",
};
const quarter: GivenLine = { ...year, agreed: 30_000_00n, service: ["2025-01-01", "2025-03-31"] };

/** Books each month through the last one, and returns the accrual of the last. */
function booked(months: readonly string[], ...sales: readonly Sale[]): Accrual {
  const books = new Books();
  const accruals = months.map((month) => books.book(month, ...sales));
  const last = accruals.at(-1);
  if (last === undefined) throw new Error("no month");
  return last;
}

const position = ({ figures }: Accrual) => ({
  asset: units(figures?.after.asset ?? 0n),
  liability: units(figures?.after.liability ?? 0n),
});

describe("the voucher", () => {
  it.each<[string, GivenLine, string[], Entries]>([
    [
      "of work of 10,000 that is not invoiced",
      hours(["2025-01-10", 10]),
      ["2025-01"],
      [
        ["contract_asset", 10_000],
        ["revenue 1000", -10_000],
      ],
    ],
    [
      "when that work is invoiced",
      { ...hours(["2025-01-10", 10]), issued: "2025-02-03" },
      ["2025-01", "2025-02"],
      [
        ["contract_asset", -10_000],
        ["revenue 1000", 10_000],
      ],
    ],
    [
      "of a year of 12,000 invoiced in January",
      year,
      ["2025-01"],
      [
        ["contract_liability", -11_000],
        ["revenue 1000", 11_000],
      ],
    ],
    [
      "of a following month of that year",
      year,
      ["2025-01", "2025-02"],
      [
        ["contract_liability", 1_000],
        ["revenue 1000", -1_000],
      ],
    ],
    [
      "of a line that is issued and earned in one month is empty",
      { method: "on_issue", agreed: 10_000_00n, issued: "2025-01-31" },
      ["2025-01"],
      [],
    ],
    [
      "of a credit of 6,000 on a prepaid quarter of 30,000 after one month",
      { ...quarter, credits: [["2025-02-10", 6_000_00n]] },
      ["2025-01", "2025-02"],
      [
        ["contract_liability", 12_000],
        ["revenue 1000", -12_000],
      ],
    ],
    [
      "of the month after that credit",
      { ...quarter, credits: [["2025-02-10", 6_000_00n]] },
      ["2025-01", "2025-02", "2025-03"],
      [
        ["contract_liability", 8_000],
        ["revenue 1000", -8_000],
      ],
    ],
    [
      "of a half-year licence cancelled from the middle of April",
      {
        ...year,
        agreed: 24_000_00n,
        service: ["2025-01-01", "2025-06-30"],
        credits: [["2025-04-02", 10_077_35n, "2025-04-15"]],
      },
      ["2025-01", "2025-02", "2025-03", "2025-04"],
      [
        ["contract_liability", 12_000],
        ["revenue 1000", -12_000],
      ],
    ],
    [
      "of a credit after the line was fully earned and invoiced is empty",
      { ...quarter, credits: [["2025-04-01", 30_000_00n]] },
      ["2025-01", "2025-02", "2025-03", "2025-04"],
      [],
    ],
  ])("%s", (_, given, months, entries) => {
    expect(voucher(booked(months, sale("line", given)))).toEqual(entries);
  });

  it("states the earned and the invoiced amount of the month", () => {
    const credited: GivenLine = { ...quarter, credits: [["2025-02-10", 6_000_00n]] };
    const { figures } = booked(["2025-01", "2025-02"], sale("line", credited));
    expect([figures?.earned, figures?.invoiced]).toEqual([6_000_00n, -6_000_00n]);
  });

  it("lists the revenue accounts in ascending order after the roles, and exchange differences last", () => {
    const reported: GivenLine = {
      ...hours(["2025-01-10", 8], ["2025-02-10", 2]),
      rate: 100,
      issued: "2025-02-14",
    };
    const foreign = foreignLine(reported, () => 7.1, 7.05);
    const books = new Books();
    const other = sale("other", { ...year, issued: "2025-02-01" }, { account: 900 });
    const dollars = sale("dollars", reported, { foreign, account: 1010 });
    expect(voucher(books.book("2025-01", dollars, other))).toEqual([
      ["contract_asset", 6_680],
      ["revenue 900", -1_000],
      ["revenue 1010", -5_680],
    ]);
    expect(voucher(books.book("2025-02", dollars, other))).toEqual([
      ["contract_asset", -6_680],
      ["contract_liability", -10_000],
      ["revenue 900", 11_000],
      ["revenue 1010", 5_640],
      ["exchange_difference", 40],
    ]);
  });

  it("has separate entries for each account, and moves those of a line whose account changed", () => {
    const books = new Books();
    const reported = hours(["2025-01-10", 10]);
    books.book("2025-01", sale("line", reported, { account: 1000 }));
    const moved = books.draft("2025-02", sale("line", reported, { account: 1010 }));
    expect(voucher(moved)).toEqual([
      ["revenue 1000", 10_000],
      ["revenue 1010", -10_000],
    ]);
  });

  it("cannot be computed while a closing rate is missing", () => {
    const reported: GivenLine = { ...hours(["2025-01-10", 8]), issued: "2025-03-14" };
    const line = sale("line", reported, { foreign: foreignLine(reported, () => null, 7.05) });
    const books = new Books();
    for (const month of ["2025-01", "2025-02", "2025-03"]) {
      expect(books.draft(month, line).figures).toBeNull();
      expect(books.draft(month, line).lines).toMatchObject([{ balance_after: null }]);
    }
    expect(rowsIn(books.draft("2025-01", line))).toEqual([["line", "2025-01", 8_000, 0]]);
  });

  it("releases the whole contract asset at the issue", () => {
    const reported: GivenLine = {
      ...hours(["2025-01-10", 8], ["2025-02-10", 2]),
      rate: 100,
      issued: "2025-02-14",
    };
    const line = sale("line", reported, { foreign: foreignLine(reported, () => 7.1, 7.05) });
    const february = booked(["2025-01", "2025-02"], line);
    expect(voucher(february)).toEqual([
      ["contract_asset", -5_680],
      ["revenue 1000", 5_640],
      ["exchange_difference", 40],
    ]);
    expect(position(february)).toEqual({ asset: 0, liability: 0 });
  });
});

describe("positions", () => {
  it("of milestones follow completions and the issue", () => {
    const first: GivenLine = {
      method: "milestone",
      agreed: 40_000_00n,
      issued: "2025-04-01",
      completed: "2025-03-20",
    };
    const second: GivenLine = { ...first, agreed: 60_000_00n, completed: "2025-05-15" };
    const lines = [sale("a", first, { series: "x" }), sale("b", second, { series: "x" })];
    const books = new Books();
    const after = ["2025-03", "2025-04", "2025-05"].map((month) => {
      const accrual = books.book(month, ...lines);
      return [month, units(accrual.figures?.earned ?? 0n), position(accrual)];
    });
    expect(after).toEqual([
      ["2025-03", 40_000, { asset: 40_000, liability: 0 }],
      ["2025-04", 0, { asset: 0, liability: 60_000 }],
      ["2025-05", 60_000, { asset: 0, liability: 0 }],
    ]);
  });

  const march: GivenLine = {
    method: "value",
    agreed: 31_000_00n,
    service: ["2025-03-01", "2025-03-31"],
  };
  const april: GivenLine = {
    method: "value",
    agreed: 30_000_00n,
    service: ["2025-04-01", "2025-04-30"],
    issued: "2025-03-28",
  };

  it("are netted within a series", () => {
    const lines = [sale("march", march, { series: "s" }), sale("april", april, { series: "s" })];
    const accrual = booked(["2025-03"], ...lines);
    expect(voucher(accrual)).toEqual([
      ["contract_asset", 1_000],
      ["revenue 1000", -1_000],
    ]);
    expect(accrual.lines.map((line) => line.balance_after)).toEqual([31_000_00n, -30_000_00n]);
    expect(accrual.figures?.contracts).toEqual([
      {
        invoice_id: null,
        series_id: "s",
        opening_contract_id: null,
        before: { asset: 0n, liability: 0n },
        after: { asset: 1_000_00n, liability: 0n },
      },
    ]);
  });

  it("are not netted between contracts", () => {
    expect(
      voucher(booked(["2025-03"], sale("march", march), sale("april", april, { series: "s" }))),
    ).toEqual([
      ["contract_asset", 31_000],
      ["contract_liability", -30_000],
      ["revenue 1000", -1_000],
    ]);
  });

  it("remain in a month without rows, and the line is still listed", () => {
    const line = sale("line", hours(["2025-01-10", 10], ["2025-03-10", 1]));
    const february = booked(["2025-01", "2025-02"], line);
    expect(voucher(february)).toEqual([]);
    expect(rowsIn(february)).toEqual([]);
    expect(february.lines).toMatchObject([
      {
        earned_to_date: 10_000_00n,
        invoiced_to_date: 0n,
        balance_before: 10_000_00n,
        balance_after: 10_000_00n,
      },
    ]);
  });
});
