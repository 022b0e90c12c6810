/** Reads a document's fields from Dinero, and checks whether it is the document that the service sent there. */
import { currencyDigits, isCurrency } from "../../../domain/base/currency.ts";
import { RATE_DECIMALS, round } from "../../../domain/base/money.ts";
import type { Booked, DocumentBooking } from "../../ledger.ts";
import { contentReference } from "./draft-document.ts";
import {
  amountOf,
  type DineroObject,
  fieldOf,
  numberOf,
  requiredTextOf,
  textOf,
  UnreadableAnswer,
} from "./values.ts";

/** Amounts of Dinero's books have two decimals. */
export const KRONE_DIGITS = 2;

/** The month in which the accounting year begins, 1 to 12; numbers restart with it. */
export type FirstMonth = number;

export interface DineroDocument {
  readonly is_booked: boolean;
  /** Whether this is a deleted draft that Dinero still shows. A booked document stays booked even when it is deleted. */
  readonly is_deleted: boolean;
  readonly stamp: string;
  readonly object: DineroObject;
}

/** Reads a document. Throws UnreadableAnswer for an object that is not a document, or not the requested one. */
export function dineroDocument(object: DineroObject, guid: string): DineroDocument {
  if (requiredTextOf(object, "Guid").toLowerCase() !== guid.toLowerCase()) {
    throw new UnreadableAnswer("the answer is another document");
  }
  const status = requiredTextOf(object, "Status");
  const is_booked = ["Booked", "Paid", "OverPaid", "Overdue"].includes(status);
  if (!is_booked && status !== "Draft") throw new UnreadableAnswer(`the status is ${status}`);
  const is_deleted = !is_booked && textOf(object, "DeletedAt") !== null;
  return { is_booked, is_deleted, stamp: requiredTextOf(object, "TimeStamp"), object };
}

/** Returns the first calendar year of a date's accounting year. */
export function yearOf(day: string, first_month: FirstMonth): number {
  const year = Number(day.slice(0, 4));
  return Number(day.slice(5, 7)) < first_month ? year - 1 : year;
}

/** Reads a booking. Throws UnreadableAnswer when a field of the booking is missing. */
export function bookedFrom({ object, is_booked }: DineroDocument, first_month: FirstMonth): Booked {
  if (!is_booked) throw new UnreadableAnswer("the document is a draft");
  const ledger_id = requiredTextOf(object, "Guid").toLowerCase();
  const totals = totalsOf(object);
  const functional = functionalOf(object, totals);
  return {
    state: "booked",
    guid: ledger_id,
    ledger_id,
    number: numberOf(object, "Number"),
    year: yearOf(requiredTextOf(object, "Date"), first_month),
    totals,
    ...(functional !== null && { functional }),
  };
}

function digitsOf(object: DineroObject): number {
  const currency = textOf(object, "Currency") ?? "DKK";
  if (!isCurrency(currency)) throw new UnreadableAnswer(`the currency is ${currency}`);
  return currencyDigits(currency);
}

function totalsOf(object: DineroObject) {
  const digits = digitsOf(object);
  return {
    net: amountOf(object, "TotalExclVat", digits),
    vat: amountOf(object, "TotalVat", digits),
    gross: amountOf(object, "TotalInclVat", digits),
  };
}

/** Whether a document in another currency lacks its value in kroner; a document of zero needs none. */
export function lacksKroner(object: DineroObject): boolean {
  if ((textOf(object, "Currency") ?? "DKK") === "DKK") return false;
  return (
    fieldOf(object, "TotalInclVat") !== 0 &&
    typeof fieldOf(object, "TotalInclVatInDkk") !== "number"
  );
}

/** Returns the functional amounts with the rate that follows from the two totals; null for documents in kroner or of zero. */
function functionalOf(object: DineroObject, { vat, gross }: { vat: bigint; gross: bigint }) {
  if ((textOf(object, "Currency") ?? "DKK") === "DKK" || gross === 0n) return null;
  if (lacksKroner(object)) return null;
  const kroner = amountOf(object, "TotalInclVatInDkk", KRONE_DIGITS);
  const size = gross < 0n ? -gross : gross;
  const sign = gross < 0n ? -1n : 1n;
  const up = 10n ** BigInt(RATE_DECIMALS + digitsOf(object));
  return {
    rate_micro: round(sign * kroner * up, size * 10n ** BigInt(KRONE_DIGITS)),
    gross: kroner,
    vat: round(sign * vat * kroner, size),
  };
}

/** Whether the document was sent with the booking's content. Without a reference, only its totals are compared. */
export function isContentOf(booking: DocumentBooking, { object }: DineroDocument): boolean {
  const reference = textOf(object, "ExternalReference");
  return reference === null || reference === contentReference(booking);
}

/** Returns the differences from the booking beyond rounding, by field; null when there are none. */
export function differenceFrom(
  { document }: DocumentBooking,
  { object }: DineroDocument,
): Readonly<Record<string, string>> | null {
  const there = totalsOf(object);
  const allowed = BigInt(document.vat.length);
  const differ: Record<string, string> = {};
  for (const field of ["net", "vat", "gross"] as const) {
    const distance = there[field] - document.totals[field];
    const size = distance < 0n ? -distance : distance;
    if (size > (field === "net" ? 0n : allowed)) {
      differ[field] = `${there[field]} instead of ${document.totals[field]}`;
    }
  }
  const contact = textOf(object, "ContactGuid")?.toLowerCase();
  if (contact !== undefined && contact !== document.customer.id.toLowerCase()) {
    differ.ContactGuid = "another";
  }
  if ((textOf(object, "Currency") ?? "DKK") !== document.currency) differ.Currency = "another";
  return Object.keys(differ).length === 0 ? null : differ;
}
