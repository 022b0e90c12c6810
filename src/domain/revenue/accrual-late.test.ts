/** Facts that arrive late for a closed month (spec 3.3 and 3.6). */
import { describe, expect, it } from "vitest";
import {
  Books,
  foreignLine,
  rowsIn,
  type Sale,
  sale,
  voucher,
} from "../../../test/support/revenue/books.ts";
import type { GivenLine } from "../../../test/support/revenue/revenue.ts";
import type { CalendarDate, Month } from "../base/calendar.ts";
import { earlierOpenMonth, firstMonth, firstOpenMonth, laterMonth } from "./accrual.ts";
import { lockedThrough } from "./accrual-booking.ts";

/** A line at 1,000 an hour with hours on some days. */
const work = (...days: readonly (readonly [date: string, hours: number])[]): Sale =>
  sale("L", {
    method: "hours",
    rate: 1_000,
    worked: days.map(([date, hours]) => ["anna", date, hours]),
  });

const hourly: GivenLine = { method: "hours", rate: 1_000, worked: [["anna", "2025-01-10", 10]] };

const earlier = (books: Books, month: string, ...sales: readonly Sale[]) =>
  earlierOpenMonth(books.lineBalances(sales), books.closed_through, month as Month);

describe("a late fact", () => {
  it("leaves the booked month unchanged, and is carried into the first open month", () => {
    const books = new Books();
    const february = books.book("2025-02", work(["2025-02-10", 10]));
    expect([february.original_month, rowsIn(february)]).toEqual([
      null,
      [["L", "2025-02", 10_000, 0]],
    ]);
    const march = books.draft(
      "2025-03",
      work(["2025-02-10", 10], ["2025-02-27", 2], ["2025-03-10", 5]),
    );
    expect(march.original_month).toBe("2025-02");
    expect(rowsIn(march)).toEqual([
      ["L", "2025-02", 2_000, 0, "carried"],
      ["L", "2025-03", 5_000, 0],
    ]);
    expect(voucher(march)).toEqual([
      ["contract_asset", 7_000],
      ["revenue 1000", -7_000],
    ]);
    expect(march.figures).toMatchObject({
      earned: 7_000_00n,
      after: { asset: 17_000_00n, liability: 0n },
    });
  });

  it("is listed for each of two closed months, and the accrual names the earlier one", () => {
    const books = new Books();
    books.book("2025-01", work(["2025-01-10", 1]));
    books.book("2025-02", work(["2025-01-10", 1], ["2025-02-10", 1]));
    const march = books.draft("2025-03", work(["2025-01-10", 4], ["2025-02-10", 3]));
    expect(march.original_month).toBe("2025-01");
    expect(rowsIn(march)).toEqual([
      ["L", "2025-01", 3_000, 0, "carried"],
      ["L", "2025-02", 2_000, 0, "carried"],
    ]);
  });

  it("is not carried again once it is booked", () => {
    const books = new Books();
    const late = work(["2025-02-10", 10], ["2025-02-27", 2]);
    books.book("2025-02", work(["2025-02-10", 10]));
    books.book("2025-03", late);
    const april = books.draft("2025-04", late);
    expect([april.original_month, rowsIn(april)]).toEqual([null, []]);
  });

  it("that is undone before the next booking carries nothing", () => {
    const books = new Books();
    const line = work(["2025-02-10", 10]);
    books.book("2025-02", line);
    expect(
      rowsIn(books.draft("2025-03", work(["2025-02-10", 10], ["2025-02-27", 2]))),
    ).toHaveLength(1);
    expect(rowsIn(books.draft("2025-03", line))).toEqual([]);
  });

  it("is carried into the first open month only", () => {
    const books = new Books();
    books.book("2025-02", work(["2025-02-10", 10]));
    const late = work(["2025-02-27", 12], ["2025-04-10", 5]);
    expect(rowsIn(books.draft("2025-04", late))).toEqual([["L", "2025-04", 5_000, 0]]);
    expect(books.draft("2025-04", late).figures?.before.asset).toBe(12_000_00n);
  });

  it("that raises a rate carries the difference for the hours of January", () => {
    const books = new Books();
    books.book("2025-01", sale("L", hourly));
    const february = books.draft("2025-02", sale("L", { ...hourly, rate: 1_200 }));
    expect(february.original_month).toBe("2025-01");
    expect(rowsIn(february)).toEqual([["L", "2025-01", 2_000, 0, "carried"]]);
  });

  it("that removes a completion carries its reversal", () => {
    const books = new Books();
    const reported: GivenLine = { method: "milestone", agreed: 100_00n };
    books.book("2025-01", sale("L", { ...reported, completed: "2025-01-31" }));
    expect(rowsIn(books.draft("2025-02", sale("L", reported)))).toEqual([
      ["L", "2025-01", -100, 0, "carried"],
    ]);
  });

  it("that corrects a closing rate moves the amount between revenue and exchange differences", () => {
    const books = new Books();
    const reported: GivenLine = { ...hourly, issued: "2025-02-14" };
    const at = (closing: number) =>
      sale("L", reported, { foreign: foreignLine(reported, () => closing, 7.05) });
    books.book("2025-01", at(7.1));
    books.book("2025-02", at(7.1));
    const march = books.draft("2025-03", at(7.2));
    expect(march.original_month).toBe("2025-01");
    expect(rowsIn(march).map(([, month]) => month)).toEqual(["2025-01", "2025-02"]);
    expect(voucher(march)).toEqual([
      ["revenue 1000", -1_000],
      ["exchange_difference", 1_000],
    ]);
  });

  it("that dates an issue in a closed month is carried as invoiced", () => {
    const books = new Books();
    books.book("2025-01", sale("L", hourly));
    const february = books.draft("2025-02", sale("L", { ...hourly, issued: "2025-01-31" }));
    expect(rowsIn(february)).toEqual([["L", "2025-01", 0, 10_000, "carried"]]);
    expect(voucher(february)).toEqual([
      ["contract_asset", -10_000],
      ["revenue 1000", 10_000],
    ]);
  });
});

describe("a closed month", () => {
  it("that was locked but not booked passes its rows to the first open month", () => {
    const books = new Books();
    const line = work(["2025-02-10", 10], ["2025-03-10", 1]);
    books.lock("2025-02");
    const march = books.draft("2025-03", line);
    expect(march.original_month).toBe("2025-02");
    expect(rowsIn(march)).toEqual([
      ["L", "2025-02", 10_000, 0, "carried"],
      ["L", "2025-03", 1_000, 0],
    ]);
  });

  it("that was skipped while it was empty is carried when it gets hours", () => {
    const books = new Books();
    books.book("2025-03", work(["2025-03-10", 1]));
    const april = books.draft("2025-04", work(["2025-02-10", 2], ["2025-03-10", 1]));
    expect([april.original_month, rowsIn(april)]).toEqual([
      "2025-02",
      [["L", "2025-02", 2_000, 0, "carried"]],
    ]);
  });

  it("that is locked before its carried rows are booked passes all of them to the next month", () => {
    const books = new Books();
    books.book("2025-01", work(["2025-01-10", 1]));
    const line = work(["2025-01-10", 2], ["2025-02-10", 3]);
    expect(rowsIn(books.draft("2025-02", line))).toHaveLength(2);
    books.lock("2025-02");
    expect(rowsIn(books.draft("2025-03", line))).toEqual([
      ["L", "2025-01", 1_000, 0, "carried"],
      ["L", "2025-02", 3_000, 0, "carried"],
    ]);
  });

  it("that is reopened has the same accrual as before its booking", () => {
    const books = new Books();
    const line = work(["2025-01-10", 1], ["2025-02-10", 3]);
    books.book("2025-01", line);
    const february = books.book("2025-02", line);
    books.reopen(february, "2025-01");
    expect(rowsIn(books.draft("2025-02", line))).toEqual([["L", "2025-02", 3_000, 0]]);
    expect(voucher(books.draft("2025-02", line))).toEqual(voucher(february));
  });
});

describe("a line that the customer no longer has", () => {
  it("is reversed for the old customer and earned by the new one", () => {
    const [old, other] = [new Books(), new Books()];
    const line = work(["2025-01-10", 10]);
    old.book("2025-01", line);
    other.lock("2025-01");
    expect(rowsIn(old.draft("2025-02"))).toEqual([["L", "2025-01", -10_000, 0, "carried"]]);
    expect(rowsIn(other.draft("2025-02", line))).toEqual([["L", "2025-01", 10_000, 0, "carried"]]);
  });

  it("is reversed after its deletion, and has no rows afterwards", () => {
    const books = new Books();
    books.book("2025-01", work(["2025-01-10", 10]));
    const february = books.book("2025-02");
    expect(voucher(february)).toEqual([
      ["contract_asset", -10_000],
      ["revenue 1000", 10_000],
    ]);
    expect(books.draft("2025-03").lines).toEqual([]);
  });
});

describe("earlier open months", () => {
  const line = work(["2025-01-10", 1], ["2025-03-10", 1]);

  it("block a later booking if they have rows, and do not if they are empty", () => {
    const books = new Books();
    expect(earlier(books, "2025-01", line)).toBeNull();
    expect(earlier(books, "2025-02", line)).toBe("2025-01");
    expect(earlier(books, "2025-03", line)).toBe("2025-01");
    books.book("2025-01", line);
    expect(earlier(books, "2025-03", line)).toBeNull();
    expect(earlier(books, "2025-04", line)).toBe("2025-03");
  });

  it("block a later booking if all of their rows are carried", () => {
    const books = new Books();
    books.book("2025-01", work(["2025-01-10", 1]));
    const late = work(["2025-01-10", 2]);
    expect(earlier(books, "2025-02", late)).toBeNull();
    expect(earlier(books, "2025-03", late)).toBe("2025-02");
  });

  it("do not exist without facts", () => {
    const books = new Books();
    expect(earlier(books, "2025-03")).toBeNull();
    expect(firstMonth([])).toBeNull();
    expect(firstOpenMonth([], null)).toBeNull();
    expect(books.draft("2025-03")).toMatchObject({ original_month: null, lines: [] });
  });

  it("begin with the first row, current or booked, or after the last closed month", () => {
    const books = new Books();
    expect(firstMonth(books.lineBalances([line]))).toBe("2025-01");
    books.book("2025-01", line);
    expect(firstMonth(books.lineBalances([work(["2025-03-10", 1])]))).toBe("2025-01");
    expect(firstOpenMonth(books.lineBalances([line]), books.closed_through)).toBe("2025-02");
  });
});

describe("the lock", () => {
  it.each([
    [null, null],
    ["2025-01-31", "2025-01"],
    ["2025-02-27", "2025-01"],
    ["2025-02-28", "2025-02"],
    ["2024-02-28", "2024-01"],
    ["2025-01-01", "2024-12"],
  ])("date %s closes through %s", (date, through) => {
    expect(lockedThrough(date as CalendarDate | null)).toBe(through);
  });

  it.each([
    [null, null, null],
    ["2025-01", null, "2025-01"],
    [null, "2025-01", "2025-01"],
    ["2024-12", "2025-01", "2025-01"],
    ["2025-01", "2024-12", "2025-01"],
  ])("and bookings close through the later month: %s and %s is %s", (a, b, later) => {
    expect(laterMonth(a as Month | null, b as Month | null)).toBe(later);
  });
});
