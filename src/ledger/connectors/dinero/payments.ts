/**
 * Reads what is paid of invoices in Dinero, and which invoices changed. Nothing is written. Dinero does not publish the currency of
 * the amounts: amounts that fit the invoice's value in kroner better than its total are taken as not reported.
 */
import { type CalendarDate, calendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits, isCurrency } from "../../../domain/base/currency.ts";
import { scaledFromNumber } from "../../../domain/base/money.ts";
import type {
  LedgerPayment,
  LedgerPaymentChanges,
  LedgerPayments,
  PaidDocument,
} from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { badResponse, type DineroApi, readable } from "./api.ts";
import { untilOf } from "./changes.ts";
import { readList } from "./lists.ts";
import { isAbsent } from "./refusals.ts";
import {
  amountOf,
  type DineroObject,
  fieldOf,
  listOf,
  objectOf,
  requiredTextOf,
  textOf,
} from "./values.ts";

/** Reads the payments of invoices, one by one. Dinero reports none of credit notes. */
export async function readPayments(
  api: DineroApi,
  documents: readonly PaidDocument[],
  options: CallOptions,
): Promise<LedgerPayments | Failure> {
  const payments: LedgerPayment[] = [];
  for (const { kind, guid } of documents) {
    if (kind !== "invoice") continue;
    const invoice = await readOne(api, "invoices/{guid}", "v1", `invoices/${guid}`, options);
    if (invoice.state === "absent") continue;
    if (invoice.state !== "read") return invoice;
    const path = `invoices/${guid}/payments`;
    const paid = await readOne(api, "invoices/{guid}/payments", "v2", path, options);
    if (paid.state === "absent") continue;
    if (paid.state !== "read") return paid;
    const payment = readable(() => ({
      state: "payment" as const,
      payment: paymentOf(guid, invoice.object, paid.object),
    }));
    if (payment.state === "unknown") return payment;
    if (payment.payment !== null) payments.push(payment.payment);
  }
  return { state: "payments", payments };
}

/** Reads which invoices changed since an earlier response, or which are open now. */
export async function openOrChanged(
  api: DineroApi,
  since: string | null,
  options: CallOptions,
): Promise<LedgerPaymentChanges | Failure> {
  const which = since === null ? { statusFilter: "Booked,Overdue" } : { changesSince: since };
  const fields = "Guid,PaymentStatus,UpdatedAt";
  const list = await readList(api, "invoices", { fields, ...which }, options);
  if (list.state !== "list") return list;
  return readable(() => ({
    state: "payment_changes",
    guids: list.rows
      .filter((row) => textOf(row, "PaymentStatus") !== "Draft")
      .map((row) => requiredTextOf(row, "Guid").toLowerCase()),
    until: untilOf(list.date, since, list.rows),
  }));
}

type Read =
  | { readonly state: "read"; readonly object: DineroObject }
  | { readonly state: "absent" }
  | Failure;

async function readOne(
  api: DineroApi,
  verb: string,
  version: "v1" | "v2",
  path: string,
  options: CallOptions,
): Promise<Read> {
  const answer = await api({ verb, method: "GET", version, path }, options);
  if (answer.state === "refused") {
    return isAbsent(answer.refusal) ? { state: "absent" } : badResponse(answer.refusal);
  }
  if (answer.state !== "done") return answer;
  return readable(() => ({ state: "read", object: objectOf(answer.value) }));
}

/** Returns the payment of an invoice; null for a draft, and for a status that is not published. */
function paymentOf(guid: string, invoice: DineroObject, paid: DineroObject): LedgerPayment | null {
  const status = textOf(invoice, "PaymentStatus") ?? "";
  const gross = amountOf(invoice, "TotalInclVat", digitsOf(invoice));
  const is_reported = isInCurrency(invoice, paid);
  const given = amountIn(paid, "PaidAmount", digitsOf(invoice));
  const left = amountIn(paid, "RemainingAmount", digitsOf(invoice));
  const amounts = { paid: is_reported ? given : null, remaining: is_reported ? left : null };
  switch (status) {
    case "Paid":
      return {
        ...{ guid, state: "paid", paid: amounts.paid ?? gross, remaining: 0n },
        paid_on: lastDayIn(paid),
      };
    case "OverPaid":
      return { guid, state: "overpaid", ...amounts, paid_on: lastDayIn(paid) };
    case "Booked":
    case "Overdue":
      if (given !== null && given > 0n) {
        return { guid, state: "partly_paid", ...amounts, paid_on: null };
      }
      return {
        ...{ guid, state: "open", paid: 0n, remaining: amounts.remaining ?? gross },
        paid_on: null,
      };
    default:
      return null;
  }
}

function digitsOf(invoice: DineroObject): number {
  const currency = textOf(invoice, "Currency") ?? "DKK";
  return isCurrency(currency) ? currencyDigits(currency) : 2;
}

/** Whether the amounts of payments are in the currency of the invoice, and not in kroner. */
function isInCurrency(invoice: DineroObject, paid: DineroObject): boolean {
  if ((textOf(invoice, "Currency") ?? "DKK") === "DKK") return true;
  const digits = digitsOf(invoice);
  const amount = (object: DineroObject, name: string) => amountIn(object, name, digits) ?? 0n;
  const total = amount(paid, "PaidAmount") + amount(paid, "RemainingAmount");
  const distance = (field: string) => {
    const away = total - amount(invoice, field);
    return away < 0n ? -away : away;
  };
  return distance("TotalInclVat") <= distance("TotalInclVatInDkk");
}

/** Returns an amount; null where it is missing or has more decimals than its currency. */
function amountIn(object: DineroObject, name: string, digits: number): bigint | null {
  const value = fieldOf(object, name);
  const scaled = typeof value === "number" ? scaledFromNumber(value, digits) : "missing";
  return typeof scaled === "bigint" ? scaled : null;
}

/** Returns the day of the last payment; null where the payments are not listed with their days. */
function lastDayIn(paid: DineroObject): CalendarDate | null {
  const listed = fieldOf(paid, "Payments");
  if (!Array.isArray(listed)) return null;
  const days = listOf(listed).map((one) => (textOf(one, "PaymentDate") ?? "").slice(0, 10));
  return calendarDate(days.sort().at(-1) ?? "") ?? null;
}
