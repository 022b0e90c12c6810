/** What a connected ledger says of an invoice, for each of its states. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { type ReportedInvoice, reportedPaymentOn } from "./ledger-payment.ts";

const day = (text: string) => text as CalendarDate;
const invoice = (reported: Partial<ReportedInvoice>): ReportedInvoice => ({
  amount: 1_250_00n,
  due_date: day("2026-02-24"),
  state: "open",
  paid: 0n,
  remaining: 1_250_00n,
  paid_on: null,
  ...reported,
});

describe("an invoice of a connected ledger", () => {
  it.each<[string, Partial<ReportedInvoice>, string, object]>([
    ["open on its due date", {}, "2026-02-24", { is_overdue: false, open: 1_250_00n }],
    ["open a day later", {}, "2026-02-25", { is_overdue: true, days_overdue: 1 }],
    [
      "partly paid",
      { state: "partly_paid", paid: 1_000_00n, remaining: 250_00n },
      "2026-03-10",
      { is_overdue: true, days_overdue: 14, paid: 1_000_00n, open: 250_00n },
    ],
    [
      "partly paid by an amount that is not reported",
      { state: "partly_paid", paid: null, remaining: null },
      "2026-03-10",
      { is_overdue: true, paid: null, open: null },
    ],
    [
      "paid",
      { state: "paid", paid: 1_250_00n, remaining: 0n, paid_on: day("2026-03-01") },
      "2026-03-10",
      { is_overdue: false, days_overdue: 0, open: 0n, paid_on: "2026-03-01" },
    ],
    [
      "overpaid",
      { state: "overpaid", paid: 1_300_00n, remaining: -50_00n },
      "2026-03-10",
      { is_overdue: false, paid: 1_300_00n, open: 0n },
    ],
  ])("that is %s", (_name, reported, today, expected) => {
    const payment = reportedPaymentOn(invoice(reported), day(today));
    expect(payment).toMatchObject({ state: reported.state ?? "open", ...expected });
    expect(payment).toMatchObject({ gross: 1_250_00n, credited: null, rounding: null });
  });

  it("of which its ledger reports nothing has no payment", () => {
    const unreported = invoice({ state: null, paid: null, remaining: null });
    expect(reportedPaymentOn(unreported, day("2026-03-10"))).toBeNull();
  });
});
