/**
 * What is paid of invoices in the simulation of Dinero. People record payments in Dinero itself: the control address does it for
 * tests, and no route of the API that the connector may call.
 */
import { randomUUID } from "node:crypto";
import { divided, scaled, shown } from "./sums.mjs";

/** The invoice with one more payment, in units of its currency. */
export function paid(document, { amount, date }, TimeStamp) {
  const payment = { Guid: randomUUID(), PaymentDate: date, Amount: String(scaled(amount, 2)) };
  const payments = [...(document.payments ?? []), payment];
  return { ...document, payments, TimeStamp, UpdatedAt: new Date().toISOString() };
}

/** The change of the invoice that a booked credit note is for. */
export function settledBy(books, org, note, { credit_notes_settle }) {
  const key = `invoice/${org.Id}/${note.CreditNoteFor?.toLowerCase()}`;
  const invoice = credit_notes_settle && note.CreditNoteFor ? books.get(key) : undefined;
  if (invoice === undefined) return {};
  const credited = String(BigInt(invoice.credited ?? 0) + totalOf(note));
  return { [key]: { ...invoice, credited, UpdatedAt: new Date().toISOString() } };
}

/** Draft, Booked, Overdue, Paid or OverPaid. */
export function paymentStatusOf(document) {
  if (document.Status !== "Booked" || document.kind !== "invoice") return document.Status;
  const left = totalOf(document) - paidOf(document) - BigInt(document.credited ?? 0);
  if (left < 0n) return "OverPaid";
  if (left === 0n) return "Paid";
  return dueOf(document) < new Date().toISOString().slice(0, 10) ? "Overdue" : "Booked";
}

/** The answer about the payments of an invoice. */
export function paymentsOf(document, { payments_in_kroner, payments_listed }) {
  const rate = payments_in_kroner ? BigInt(document.rate ?? 1_000_000) : 1_000_000n;
  const amount = (hundredths) => shown(divided(hundredths * rate, 1_000_000n, "half_up"));
  const left = totalOf(document) - paidOf(document) - BigInt(document.credited ?? 0);
  return {
    ...(payments_listed && {
      Payments: (document.payments ?? []).map(({ Amount, ...one }) => {
        return { ...one, Amount: amount(BigInt(Amount)), DepositAccountNumber: 55000 };
      }),
    }),
    InvoiceTotalIncludingReminderExpenses: amount(totalOf(document)),
    PaidAmount: amount(paidOf(document)),
    RemainingAmount: amount(left),
  };
}

const totalOf = ({ net, vat }) => BigInt(net) + BigInt(vat);

function paidOf({ payments = [] }) {
  return payments.reduce((sum, { Amount }) => sum + BigInt(Amount), 0n);
}

function dueOf(document) {
  const due = new Date(`${document.Date}T00:00:00Z`);
  due.setUTCDate(due.getUTCDate() + (document.PaymentConditionNumberOfDays ?? 0));
  return due.toISOString().slice(0, 10);
}
