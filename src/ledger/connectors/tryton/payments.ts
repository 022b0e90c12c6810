/**
 * Reads what is paid of invoices and credit notes in Tryton, by our references. A credit note is an invoice of its own there, with
 * amounts below 0. Nothing is written.
 */
import { calendarDate } from "../../../domain/base/calendar.ts";
import type { LedgerPayment, LedgerPayments, PaidDocument } from "../../connected.ts";
import { requireCompany, type Tryton } from "./api.ts";
import { digitsOf } from "./read-document.ts";
import { amountOf, dayOf, type TrytonRecord, textOf } from "./values.ts";

/** References in one request. */
const PORTION = 500;

const FIELDS = [
  ...["state", "number", "reference", "total_amount", "amount_to_pay", "reconciled"],
  ...["currency", "currency.digits"],
];

/** Reads what is paid of documents. Those that are not posted, and cancelled ones, are left out. */
export async function readPayments(
  tryton: Tryton,
  documents: readonly PaidDocument[],
): Promise<LedgerPayments> {
  const rows: TrytonRecord[] = [];
  for (let at = 0; at < documents.length; at += PORTION) {
    const guids = documents.slice(at, at + PORTION).map(({ guid }) => guid);
    const asked = [
      ["company", "=", requireCompany(tryton)],
      ["type", "=", "out"],
      ["reference", "in", guids],
    ];
    rows.push(...(await tryton.read("account.invoice", asked, FIELDS)));
  }
  return { state: "payments", payments: rows.flatMap((row) => paymentOf(row) ?? []) };
}

/** Returns the payment of a posted or paid document; null for any other state. */
function paymentOf(row: TrytonRecord): LedgerPayment | null {
  const guid = textOf(row, "reference");
  // A draft under the same reference is a leftover.
  if (guid === null || textOf(row, "number") === null) return null;
  const total = amountOf(row, "total_amount", digitsOf(row));
  const sign = total < 0n ? -1n : 1n;
  if (row.state === "paid") {
    const paid_on = calendarDate(dayOf(row, "reconciled") ?? "") ?? null;
    return { guid, state: "paid", paid: sign * total, remaining: 0n, paid_on };
  }
  if (row.state !== "posted") return null;
  const remaining = sign * amountOf(row, "amount_to_pay", digitsOf(row));
  const paid = sign * total - remaining;
  return { guid, state: paid > 0n ? "partly_paid" : "open", paid, remaining, paid_on: null };
}
