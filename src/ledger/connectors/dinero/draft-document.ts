/**
 * Makes the body of an invoice or a credit note for Dinero. The VAT of a line follows its account in Dinero, so each line goes to
 * the account that the mapping names for its account and VAT code.
 */
import { decimalText, round, scaledToNumber } from "../../../domain/base/money.ts";
import {
  creditedNumber,
  type DocumentLine,
  type DocumentRow,
  type DocumentSnapshot,
  printedLines,
} from "../../../domain/sales/document.ts";
import type { DocumentBooking, MappedAccount } from "../../ledger.ts";
import type { Rejected } from "../../outcome.ts";

/** The units of Dinero; any other unit becomes pieces. */
const UNITS = new Set(
  (
    "hours parts km day week month kilogram cubicMetre set litre box case carton metre package shipment " +
    "squareMetre session tonne"
  ).split(" "),
);
const UNIT_OF: Readonly<Record<string, string>> = { hour: "hours", days: "day", months: "month" };
const REFERENCE_AT_MOST = 128;
const DINERO_DECIMALS = 2;

export function unitOf(unit: string): string {
  const known = UNIT_OF[unit] ?? unit;
  return UNITS.has(known) ? known : "parts";
}

/** Returns the reference by which an existing document is recognised as the one that was sent. */
export function contentReference(booking: DocumentBooking): string {
  return Buffer.from(booking.payload_hash).toString("hex");
}

/** Returns the mapped account for an account with a VAT code, or the account's row without a code when that code has no row. */
export function accountFor(
  accounts: readonly MappedAccount[],
  account_number: number,
  vat_code: string | null,
): number | null {
  const rows = accounts.filter((row) => row.account_number === account_number);
  const row =
    rows.find((one) => one.vat_code === vat_code) ?? rows.find((one) => one.vat_code === null);
  const only = row ?? (vat_code === null && rows.length === 1 ? rows[0] : undefined);
  const number = Number(only?.ledger_account);
  return only !== undefined && Number.isSafeInteger(number) ? number : null;
}

export function unmapped(account_number: number, vat_code: string | null): Rejected {
  const fields = { account_number: String(account_number), vat_code: vat_code ?? "" };
  return { state: "rejected", code: "UNKNOWN_ACCOUNT", fields };
}

/** Returns the body of `POST invoices` and `POST sales/creditnotes`; a refusal when an account is not mapped. */
export function documentBody(
  booking: DocumentBooking,
): Readonly<Record<string, unknown>> | Rejected {
  const { document } = booking;
  const lines: Readonly<Record<string, unknown>>[] = [];
  for (const line of printedLines(document)) {
    const account = accountFor(booking.accounts, line.account_number, line.vat_code);
    if (account === null) return unmapped(line.account_number, line.vat_code);
    lines.push(...linesOf(line, account, document));
  }
  const title = document.title?.slice(0, REFERENCE_AT_MOST);
  const comment = commentOf(document);
  return {
    Guid: booking.guid,
    ContactGuid: document.customer.id,
    Date: document.issue_date,
    Currency: document.currency,
    Language: document.language === "da" ? "da-DK" : "en-GB",
    ExternalReference: contentReference(booking),
    ShowLinesInclVat: false,
    ...(title && { Description: title }),
    ...(comment !== "" && { Comment: comment }),
    ...(document.kind === "invoice" ? paymentOf(document) : creditOf(document)),
    ProductLines: lines,
  };
}

function paymentOf({ payment }: DocumentSnapshot) {
  return {
    PaymentConditionType: payment.type,
    PaymentConditionNumberOfDays: payment.type === "NettoCash" ? null : payment.days,
  };
}

function creditOf({ credits }: DocumentSnapshot) {
  return credits?.invoice_id === undefined ? {} : { CreditNoteFor: credits.invoice_id };
}

/** Returns the comment. A credit note names its invoice; the rest is the text below the lines of the document. */
function commentOf({ credits, language, footer, order_reference }: DocumentSnapshot): string {
  const parts = [];
  if (credits !== null) {
    const { invoice_date } = credits;
    const number = creditedNumber(credits);
    parts.push(
      language === "da"
        ? `Krediterer faktura ${number} af ${invoice_date}`
        : `Credits invoice ${number} of ${invoice_date}`,
    );
  }
  if (order_reference !== undefined) parts.push(order_reference);
  if (footer !== undefined) parts.push(footer);
  return parts.join("\n");
}

function linesOf(line: DocumentLine, account: number, { currency_digits }: DocumentSnapshot) {
  const from = line.service_from ?? line.worked?.from;
  const to = line.service_to ?? line.worked?.to;
  const facts = {
    Description: line.text,
    ...(from && to && { Comments: from === to ? from : `${from} - ${to}` }),
    AccountNumber: account,
  };
  return line.rows.map((row) => {
    return {
      ...facts,
      LineType: "Product",
      Unit: unitOf(line.unit),
      ...pricedAs(row, currency_digits),
    };
  });
}

/** Returns the quantity and price when Dinero computes the same net from them; otherwise one unit at that net. */
function pricedAs(row: DocumentRow, digits: number) {
  const { quantity, unit_price_scaled, discount, net } = row;
  const exact = BigInt(quantity) * unit_price_scaled * BigInt(10_000 - discount);
  const there = round(exact, 10n ** BigInt(2 + 4 + 4 - DINERO_DECIMALS));
  if (there * 10n ** BigInt(digits) !== net * 10n ** BigInt(DINERO_DECIMALS)) {
    return { BaseAmountValue: Number(decimalText(net, digits)), Quantity: 1, Discount: 0 };
  }
  return {
    BaseAmountValue: scaledToNumber(unit_price_scaled, 4),
    Quantity: scaledToNumber(BigInt(quantity), 2),
    Discount: scaledToNumber(BigInt(discount), 2),
  };
}
