/** Properties of every customer, for any facts and any order of bookings (spec 3.9, invariants 1, 4, 5 to 9, 11). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyLine } from "../../../test/support/revenue/any-line.ts";
import { Books, foreignLine, type Sale, sale } from "../../../test/support/revenue/books.ts";
import { sumOf } from "../../../test/support/revenue/revenue.ts";
import { addToMonth, type Month, monthsFrom } from "../base/calendar.ts";
import { type Accrual, balanceOf } from "./accrual.ts";

const MONTHS = monthsFrom("2024-11" as Month, "2025-08" as Month);

/** Lines of a customer at one time: of two series and of separate invoices, on two accounts. */
const anySales = fc
  .array(
    fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e"),
      reported: anyLine(),
      rate: fc.option(fc.constantFrom(0.5, 7.1, 7.055555)),
    }),
    { maxLength: 5 },
  )
  .map((lines): Sale[] => {
    const by_id = new Map(lines.map((line) => [line.id, line]));
    return [...by_id.values()].map(({ id, reported, rate }) => {
      const closing = (month: Month) => 7 + Number(month.slice(5)) / 100;
      return sale(id, rate === null ? { ...reported, digits: 2 } : reported, {
        account: id < "c" ? 1000 : 1010,
        ...(id === "e" ? {} : { series: id < "d" ? "first" : "second" }),
        ...(rate === null ? {} : { foreign: foreignLine(reported, closing, rate) }),
      });
    });
  });

/** The facts at the booking of each month; a month without facts is not booked. */
const anyHistory = fc.array(fc.option(anySales), {
  minLength: MONTHS.length,
  maxLength: MONTHS.length,
});

interface Booking {
  readonly accrual: Accrual;
  readonly sales: readonly Sale[];
  readonly books: Books;
}

/** Books the history, and passes each booking to the check before the next one. */
function follow(history: readonly (Sale[] | null)[], check: (booking: Booking) => void): void {
  const books = new Books();
  for (const [index, sales] of history.entries()) {
    const last = MONTHS[index];
    if (sales === null || last === undefined) continue;
    for (const month of books.closed_through
      ? monthsFrom(addToMonth(books.closed_through, 1), last)
      : MONTHS) {
      if (month <= last) check({ accrual: books.book(month, ...sales), sales, books });
    }
  }
}

function figuresOf({ figures }: Accrual) {
  if (figures === null) throw new Error("a rate is missing");
  return figures;
}

describe("every accrual", () => {
  it("has debits equal to its credits, and no entry of 0", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        follow(history, ({ accrual }) => {
          const amounts = figuresOf(accrual).entries.map((entry) => entry.amount);
          expect(sumOf(amounts)).toBe(0n);
          expect(amounts).not.toContain(0n);
        });
      }),
    );
  });

  it("leaves the booked balance of each line at earned less invoiced", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        follow(history, ({ accrual, sales, books }) => {
          for (const line_balance of books.lineBalances(sales)) {
            const now = line_balance.now.filter(({ month }) => month <= accrual.month);
            expect(balanceOf(line_balance.booked)).toBe(balanceOf(now));
            expect(sumOf(line_balance.booked.map((one) => one.earned))).toBe(
              sumOf(now.map((one) => one.earned)),
            );
            expect(sumOf(line_balance.booked.map((one) => one.invoiced))).toBe(
              sumOf(now.map((one) => one.invoiced)),
            );
          }
        });
      }),
    );
  });

  it("leaves nothing to carry once it is booked", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        follow(history, ({ accrual, sales, books }) => {
          const next = books.draft(addToMonth(accrual.month, 1), ...sales);
          expect(next.original_month).toBeNull();
          const months = next.lines.flatMap((line) => line.rows.map((row) => row.month));
          expect(months.every((month) => month === next.month)).toBe(true);
        });
      }),
    );
  });

  it("carries only closed months, and names the earliest of them", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        follow(history, ({ accrual }) => {
          const rows = accrual.lines.flatMap((line) => line.rows);
          expect(rows.every((row) => row.carried === row.month < accrual.month)).toBe(true);
          const carried = rows.filter((row) => row.carried).map((row) => row.month);
          expect(accrual.original_month).toBe(carried.sort()[0] ?? null);
        });
      }),
    );
  });

  it("has an asset or a liability for each contract, and their net is the sum of its lines", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        follow(history, ({ accrual }) => {
          const { after, contracts } = figuresOf(accrual);
          const balances = accrual.lines.map((line) => line.balance_after ?? 0n);
          expect(after.asset - after.liability).toBe(sumOf(balances));
          for (const contract of contracts) {
            expect(contract.after.asset === 0n || contract.after.liability === 0n).toBe(true);
            expect(contract.after.asset >= 0n && contract.after.liability >= 0n).toBe(true);
          }
        });
      }),
    );
  });

  it("moves the contract accounts of the ledger to its positions, and revenue to the earned amount", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const ledger = new Map<string, bigint>();
        let earned = 0n;
        let invoiced = 0n;
        follow(history, ({ accrual }) => {
          const { after, entries, ...figures } = figuresOf(accrual);
          for (const { account_role, amount } of entries) {
            ledger.set(account_role, (ledger.get(account_role) ?? 0n) + amount);
          }
          earned += figures.earned;
          invoiced += figures.invoiced;
          expect(ledger.get("contract_asset") ?? 0n).toBe(after.asset);
          expect(ledger.get("contract_liability") ?? 0n).toBe(-after.liability);
          expect(invoiced - (ledger.get("revenue") ?? 0n)).toBe(earned);
        });
      }),
    );
  });

  it("begins with the positions with which the open month before it would end", () => {
    fc.assert(
      fc.property(anySales, anySales, (booked, sales) => {
        const books = new Books();
        for (const month of MONTHS.slice(0, 3)) books.book(month, ...booked);
        const drafts = MONTHS.slice(3).map((month) => figuresOf(books.draft(month, ...sales)));
        for (const [index, draft] of drafts.slice(1).entries()) {
          expect(draft.before).toEqual(drafts[index]?.after);
        }
      }),
    );
  });

  it("is the same when it is computed twice, with lines in any order, and after booking and reopening", () => {
    fc.assert(
      fc.property(anySales, anySales, (booked, sales) => {
        const books = new Books();
        for (const month of MONTHS.slice(0, 3)) books.book(month, ...booked);
        const month = "2025-02";
        const draft = books.draft(month, ...sales);
        expect(books.draft(month, ...sales)).toEqual(draft);
        const { contracts, ...figures } = figuresOf(books.draft(month, ...sales.toReversed()));
        expect(figuresOf(draft)).toMatchObject(figures);
        expect(contracts).toHaveLength(figuresOf(draft).contracts.length);
        books.reopen(books.book(month, ...sales), "2025-01");
        expect(books.draft(month, ...sales).figures).toEqual(draft.figures);
      }),
    );
  });
});
