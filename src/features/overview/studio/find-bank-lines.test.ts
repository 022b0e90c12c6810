/** How the customers of the example year pay, by the documents alone. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { readCamt } from "../../receivables/bank-statements/read-camt.ts";
import { type BilledDocument, linesOfBank, settledByCredit } from "./find-bank-lines.ts";
import type { CustomerKey } from "./firm.ts";
import { bankFileOf } from "./render-statement.ts";

const ENDS_ON = "2026-11-19" as CalendarDate;
const [FIRST, LAST] = ["2025-11-01" as CalendarDate, ENDS_ON];

let number = 100;

function bill(
  customer: CustomerKey,
  date: string,
  due_date: string | null,
  amount: bigint,
  currency = "DKK",
): BilledDocument {
  number += 1;
  const kind = due_date === null ? "credit_note" : "invoice";
  const days = { date: date as CalendarDate, due_date: due_date as CalendarDate | null };
  return { id: `id-${number}`, kind, number: `${number}`, customer, currency, amount, ...days };
}

/** Returns the lines that are not the rent. */
function paid(...documents: readonly BilledDocument[]) {
  return linesOfBank({ documents, ends_on: ENDS_ON }, FIRST, LAST).filter(
    ({ customer }) => customer !== null,
  );
}

describe("a customer of the example", () => {
  it.each([
    ["solvang", "2026-01-01", "2026-01-15", "2026-01-15"],
    ["arkitekt", "2026-02-28", "2026-03-14", "2026-03-12"],
    // Due on a Saturday.
    ["bryg", "2026-01-31", "2026-02-14", "2026-02-16"],
    ["dahl", "2026-08-31", "2026-09-14", "2026-09-23"],
  ] as const)("%s pays what is issued on %s, due on %s, on %s", (customer, date, due, on) => {
    const document = bill(customer, date, due, 1234_56n);
    expect(paid(document)).toMatchObject([
      { date: on, amount: 1234_56n, text: `Faktura ${document.number}`, treatment: "accept" },
    ]);
  });

  it("pays two invoices at once on a Thursday", () => {
    const first = bill("fjord", "2026-06-30", "2026-07-14", 100_00n);
    const second = bill("fjord", "2026-07-01", "2026-07-15", 50_25n);
    expect(paid(first, second)).toMatchObject([
      { date: "2026-07-16", amount: 150_25n, pays: [first.id, second.id] },
    ]);
  });

  it("pays euros at the rate of the bank, with the reference of the invoice", () => {
    const [line] = paid(bill("muller", "2025-12-01", "2025-12-15", 1000_00n, "EUR"));
    expect(line).toMatchObject({
      amount: 7438_50n,
      instructed: { amount: 1000_00n, currency: "EUR" },
      text: "Müller & Söhne GmbH",
    });
    expect(line?.reference).toMatch(/^RF\d\d\d+$/);
  });

  it("pays one invoice twice, and the next one with that", () => {
    const twice = bill("bryg", "2026-05-31", "2026-06-14", 500_00n);
    const next = bill("bryg", "2026-06-30", "2026-07-14", 500_00n);
    expect(paid(twice, next).map(({ treatment, date }) => [treatment, date])).toEqual([
      ["accept", "2026-06-15"],
      ["twice", "2026-06-18"],
    ]);
    expect(settledByCredit({ documents: [twice, next], ends_on: ENDS_ON })).toEqual([next]);
  });

  it("pays a part, nothing, or on the last day, whose lines wait", () => {
    const lines = paid(
      bill("solvang", "2026-10-01", "2026-10-15", 168_750_00n),
      bill("gron", "2026-09-30", "2026-10-14", 10_00n),
      bill("gron", "2026-10-31", "2026-11-14", 20_00n),
      bill("bryg", "2026-10-31", "2026-11-14", 30_00n),
      bill("arkitekt", "2026-11-19", null, 40_00n),
    );
    expect(lines.map(({ date, amount, treatment }) => [date, amount, treatment])).toEqual([
      ["2026-10-15", 100_000_00n, "part"],
      ["2026-11-19", 20_00n, "wait"],
      ["2026-11-19", 30_00n, "wait"],
      ["2026-11-19", -40_00n, "wait"],
    ]);
  });
});

it("comes as a statement that is read as it was written", async () => {
  const documents = [
    bill("muller", "2025-12-01", "2025-12-15", 1000_00n, "EUR"),
    bill("bryg", "2025-11-30", "2025-12-14", 99_95n),
  ];
  const [from, to] = ["2025-12-01" as CalendarDate, "2025-12-31" as CalendarDate];
  const lines = linesOfBank({ documents, ends_on: ENDS_ON }, from, to);
  const bytes = bankFileOf({ from, to, opening: 100_00n, lines });
  const [read] = await readCamt(bytes, new AbortController().signal);
  const closing = 100_00n + 7438_50n + 99_95n - 24_500_00n;
  expect(read).toMatchObject({ opening_balance: 100_00n, closing_balance: closing });
  expect(read).toMatchObject({ first_day: from, last_day: to });
  const text = ["Husleje, Mejlgade 41", "Müller & Söhne GmbH", `Faktura ${number}`];
  expect(read?.lines.map((line) => line.text)).toEqual(text);
});
