/**
 * How the customers of the studio pay: nearly all of them around the due date. One pays twice and uses its credit, one pays a part, one
 * is reminded, and the lines of the last day wait on the page of the bank. All of it follows from the documents and the last day.
 */
import {
  addDays,
  type CalendarDate,
  firstDayOf,
  mondayOf,
  monthOf,
} from "../../../domain/base/calendar.ts";
import { convert, type Money } from "../../../domain/base/money.ts";
import { creditorReference } from "../../../domain/receivables/payment-codes.ts";
import { CUSTOMERS, type CustomerKey } from "./firm.ts";
import { monthsOfYear } from "./year.ts";

/** An issued invoice or credit note. */
export interface BilledDocument {
  readonly id: string;
  readonly kind: "invoice" | "credit_note";
  readonly number: string;
  readonly customer: CustomerKey;
  readonly currency: string;
  /** What it demands or gives, in its currency. */
  readonly amount: Money;
  readonly date: CalendarDate;
  /** Null for a credit note. */
  readonly due_date: CalendarDate | null;
}

/** What the studio does with a line: it takes the suggestion, books it as it says, leaves it out, or lets it wait. */
type Treatment = "accept" | "part" | "twice" | "leave_out" | "wait";

/** A line of the bank. */
export interface StudioBankLine {
  readonly date: CalendarDate;
  /** In øre; below 0 is money out. */
  readonly amount: Money;
  readonly instructed?: { readonly amount: Money; readonly currency: string };
  /** No other line of its statement has the same. */
  readonly text: string;
  readonly reference?: string;
  readonly customer: CustomerKey | null;
  /** The invoices that it pays. */
  readonly pays: readonly string[];
  readonly treatment: Treatment;
}

/** Days after the due date on which customers pay. A Saturday or Sunday moves to the Monday behind it. */
const HABITS: Readonly<Record<CustomerKey, number>> = {
  fjord: 0,
  bryg: 0,
  kommune: 1,
  arkitekt: -2,
  muller: -1,
  solvang: 0,
  museum: 3,
  gron: 1,
  bright: 4,
  dahl: 9,
};

/** It pays on Thursdays, all that is due at once. */
const [PAYS_WEEKLY, THURSDAY]: readonly [CustomerKey, number] = ["fjord", 3];

/** What the bank pays for a euro, in millionths of a krone: not the rate of the invoice's day. */
const RATES_OF_BANK: Partial<Record<CustomerKey, bigint>> = {
  muller: 7_438_500n,
  bright: 7_461_200n,
};

const LANDLORD = { text: "Husleje, Mejlgade 41", amount: -24_500_00n };
/** What Solvang pays of its last invoice: 100,000.00 kr. */
const PART: Money = 100_000_00n;

/** The months, from 0, of what is out of the ordinary. */
const [PAID_TWICE, BY_CREDIT, NOT_PAID, WAITS] = [6, 7, 11, 12];

/** What was issued until a statement, and the last day of the year. */
export interface Bills {
  readonly documents: readonly BilledDocument[];
  readonly ends_on: CalendarDate;
}

/** Returns the lines of the bank from a first to a last day, by day. */
export function linesOfBank(
  { documents, ends_on }: Bills,
  from: CalendarDate,
  to: CalendarDate,
): StudioBankLine[] {
  const months = monthsOfYear(ends_on);
  const monthly = months.map(
    (month): StudioBankLine => ({
      ...LANDLORD,
      date: firstDayOf(month),
      customer: null,
      pays: [],
      treatment: "leave_out",
    }),
  );
  const transfers = new Map<string, BilledDocument[]>();
  const special: StudioBankLine[] = [];
  for (const document of documents) {
    const how = extraordinary(document, ends_on);
    if (how !== undefined) special.push(...how);
    if (how !== undefined || document.due_date === null) continue;
    const key = `${payDay(document)} ${document.customer} ${document.currency}`;
    transfers.set(key, [...(transfers.get(key) ?? []), document]);
  }
  return [...monthly, ...[...transfers.values()].map(transfer), ...special]
    .filter(({ date }) => from <= date && date <= to)
    .sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
}

/** Returns the invoices that are settled with what the customer had paid twice, each with its day. */
export function settledByCredit({ documents, ends_on }: Bills): BilledDocument[] {
  return documents.filter((one) => isFromBryg(one, BY_CREDIT, ends_on));
}

/** Returns the lines of what is not simply paid: none for what is not paid at all; undefined for all other documents. */
function extraordinary(
  document: BilledDocument,
  ends_on: CalendarDate,
): StudioBankLine[] | undefined {
  const { customer, kind, due_date, number } = document;
  const due = due_date === null ? -1 : placeOf(due_date, ends_on);
  if (kind === "credit_note") {
    const text = `Kreditnota ${number}`;
    const line = { ...transfer([document]), date: ends_on, text, treatment: "wait" as const };
    return [{ ...line, amount: -document.amount, pays: [] }];
  }
  if (customer === "gron" && due === NOT_PAID) return [];
  if (customer === "gron" && due === WAITS) {
    return [{ ...transfer([document]), date: ends_on, treatment: "wait" }];
  }
  if (customer === "solvang" && due === NOT_PAID) {
    return [{ ...transfer([document]), amount: PART, treatment: "part" }];
  }
  if (isFromBryg(document, PAID_TWICE, ends_on)) {
    const paid = transfer([document]);
    const text = `${paid.text}, Havnens Bryggeri`;
    const again = { ...paid, date: workingDay(addDays(paid.date, 3)), text, pays: [] };
    return [paid, { ...again, treatment: "twice" }];
  }
  if (isFromBryg(document, BY_CREDIT, ends_on)) return [];
  if (isFromBryg(document, NOT_PAID, ends_on)) {
    // Without a number: the account of the customer and the amount tell.
    const text = "Havnens Bryggeri, retainer";
    return [{ ...transfer([document]), date: ends_on, text, treatment: "wait" }];
  }
  return undefined;
}

function isFromBryg(
  { customer, date, kind }: BilledDocument,
  place: number,
  ends_on: CalendarDate,
): boolean {
  return customer === "bryg" && kind === "invoice" && placeOf(date, ends_on) === place;
}

/** Returns the place of a day's month in the year, from 0; -1 outside of it. */
function placeOf(day: CalendarDate, ends_on: CalendarDate): number {
  return monthsOfYear(ends_on).indexOf(monthOf(day));
}

function payDay({ customer, due_date, date }: BilledDocument): CalendarDate {
  const day = addDays(due_date ?? date, HABITS[customer]);
  if (customer !== PAYS_WEEKLY) return workingDay(day);
  const thursday = addDays(mondayOf(day), THURSDAY);
  return day <= thursday ? thursday : addDays(thursday, 7);
}

function workingDay(day: CalendarDate): CalendarDate {
  const monday = mondayOf(day);
  return day < addDays(monday, 5) ? day : addDays(monday, 7);
}

/** Returns the line by which a customer pays invoices of one day at once. */
function transfer(documents: readonly BilledDocument[]): StudioBankLine {
  const [first] = documents;
  if (first === undefined) throw new Error("a transfer pays nothing");
  const { customer, currency, number } = first;
  const amount = documents.reduce((sum, one) => sum + one.amount, 0n);
  const line = {
    date: payDay(first),
    customer,
    pays: documents.map(({ id }) => id),
    treatment: "accept",
  } as const;
  const rate = RATES_OF_BANK[customer];
  if (rate === undefined || currency === "DKK") {
    return { ...line, amount, text: documents.map((one) => `Faktura ${one.number}`).join(", ") };
  }
  return {
    ...line,
    amount: convert(amount, rate, 2, 2),
    instructed: { amount, currency },
    text: CUSTOMERS.find(({ external_id }) => external_id === customer)?.name ?? customer,
    reference: creditorReference(number),
  };
}
