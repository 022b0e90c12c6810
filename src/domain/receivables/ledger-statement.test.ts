/** What a statement of account says where a connected ledger records payments: each balance is that of the ledger. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { accountStatement } from "./account-statement.ts";
import { type ReportedDocument, statedFromLedger } from "./ledger-statement.ts";

const day = (text: string) => text as CalendarDate;
const TODAY = day("2026-03-10");
const PERIOD = { customer_id: "c", from: day("2026-01-01"), to: TODAY };

const invoice = (number: string, remaining: bigint | null, more: Partial<ReportedDocument> = {}) =>
  ({
    ...{ id: `i${number}`, kind: "invoice", customer_id: "c", number, currency: "DKK" },
    ...{ date: day("2026-02-10"), due_date: day("2026-02-24"), amount: 1_000_00n, remaining },
    ...{ paid_on: null, reported_on: day("2026-03-02"), invoice_id: null },
    ...more,
  }) as ReportedDocument;
const credit = (number: string, remaining: bigint | null, more: Partial<ReportedDocument> = {}) =>
  invoice(number, remaining, {
    ...{ id: `n${number}`, kind: "credit_note", due_date: null, invoice_id: "i1" },
    ...{ date: day("2026-02-20"), amount: 400_00n },
    ...more,
  });
const statementOf = (reported: readonly ReportedDocument[]) => {
  const { items, allocations } = statedFromLedger(reported, TODAY);
  return accountStatement(PERIOD, items, allocations);
};
const linesOf = (reported: readonly ReportedDocument[]) =>
  statementOf(reported).lines.map((line) => [line.date, line.kind, line.debit - line.credit]);

const OWED = ["2026-02-10", "invoice", 1_000_00n];
const CREDITED = ["2026-02-20", "credit_note", -400_00n];

describe("a statement from a connected ledger", () => {
  it.each<[string, ReportedDocument[], unknown[][], bigint, bigint]>([
    ["an open invoice", [invoice("1", 1_000_00n)], [OWED], 1_000_00n, 0n],
    [
      "an invoice that was not read yet",
      [invoice("1", null, { reported_on: null })],
      [OWED],
      1_000_00n,
      0n,
    ],
    ["an invoice of which nothing is reported", [invoice("1", null)], [], 0n, 0n],
    [
      "a payment on the day on which it was read",
      [invoice("1", 250_00n)],
      [OWED, ["2026-03-02", "payment", -750_00n]],
      250_00n,
      0n,
    ],
    [
      "a payment on its own day",
      [invoice("1", 0n, { paid_on: day("2026-02-27") })],
      [OWED, ["2026-02-27", "payment", -1_000_00n]],
      0n,
      0n,
    ],
    [
      "a payment that was read after today",
      [invoice("1", 0n, { reported_on: day("2026-03-12") })],
      [OWED, ["2026-03-10", "payment", -1_000_00n]],
      0n,
      0n,
    ],
    [
      "what was paid too much",
      [invoice("1", -50_00n)],
      [OWED, ["2026-03-02", "payment", -1_050_00n]],
      0n,
      50_00n,
    ],
    [
      "a credit note that lowers what is left",
      [invoice("1", 600_00n), credit("9", null)],
      [OWED, CREDITED],
      600_00n,
      0n,
    ],
    [
      "a credit note that lowers nothing yet",
      [invoice("1", 1_000_00n), credit("9", null)],
      [OWED, CREDITED],
      1_000_00n,
      400_00n,
    ],
    [
      "a credit note after the payment of all",
      [invoice("1", -400_00n), credit("9", null)],
      [OWED, CREDITED, ["2026-03-02", "payment", -1_000_00n]],
      0n,
      400_00n,
    ],
    [
      "a credit note that is reported to be open",
      [invoice("1", 1_000_00n), credit("9", 400_00n)],
      [OWED, CREDITED],
      1_000_00n,
      400_00n,
    ],
    [
      "a credit note that settled another invoice",
      [invoice("1", 1_000_00n), invoice("2", 600_00n), credit("9", 0n)],
      [OWED, OWED, CREDITED],
      1_600_00n,
      0n,
    ],
    [
      "a credit note that was paid back",
      [invoice("1", 0n), credit("9", 0n), credit("10", 0n, { amount: 1_000_00n })],
      [
        OWED,
        CREDITED,
        ["2026-02-20", "credit_note", -1_000_00n],
        ["2026-03-02", "refund", 400_00n],
      ],
      0n,
      0n,
    ],
    [
      "a credit note of an invoice of which nothing is reported",
      [invoice("1", null), credit("9", null)],
      [],
      0n,
      0n,
    ],
  ])("shows %s", (_name, reported, lines, total, unapplied) => {
    expect(linesOf(reported)).toEqual(lines);
    const statement = statementOf(reported);
    expect([statement.aging.total, statement.unapplied]).toEqual([total, unapplied]);
    expect(statement.closing_balance).toBe(total - unapplied);
  });

  it("names the invoice that a payment was for", () => {
    const { lines } = statementOf([invoice("1", 250_00n)]);
    expect(lines.at(-1)?.applied).toEqual([{ kind: "invoice", number: "1", amount: 750_00n }]);
  });

  it("closes with what the ledger has open, whatever it reports", () => {
    const amount = fc.bigInt({ min: 0n, max: 1_000_00n });
    const documents = fc.tuple(
      fc.array(amount, { maxLength: 5 }),
      fc.array(amount, { maxLength: 5 }),
    );
    fc.assert(
      fc.property(documents, ([left, held]) => {
        const reported = [
          ...left.map((remaining, at) => invoice(`${at + 1}`, remaining)),
          ...held.map((remaining, at) => credit(`${at + 50}`, remaining, { amount: 1_000_00n })),
        ];
        const { closing_balance, aging, unapplied } = statementOf(reported);
        const sum = (all: bigint[]) => all.reduce((total, one) => total + one, 0n);
        expect([aging.total, unapplied]).toEqual([sum(left), sum(held)]);
        expect(closing_balance).toBe(sum(left) - sum(held));
      }),
      { numRuns: 300 },
    );
  });
});
