/**
 * How an e-invoice says that it is paid (BG-16): by payment slip, by registration and account number, or by IBAN, as the customer's
 * `payment_mean` asks and the seller's accounts allow.
 */
import { isInEuropeanUnion } from "../base/country.ts";
import type { DocumentSnapshot, Seller } from "../sales/document.ts";
import type { FikCardType } from "../sales/fik.ts";
import type { ElectronicPayment } from "./electronic-invoice.ts";
import { xmlText } from "./xml-element.ts";

/** The members of the Single Euro Payments Area outside of the Union. */
const SEPA_OUTSIDE_OF_UNION = new Set(
  "AD AL CH GB GI IS LI MC MD ME MK NO RS SM VA AX GF GP MQ RE YT PM BL MF GG IM JE".split(" "),
);

/** Returns how an invoice is paid under its number; null for a credit note, and where the seller has no account for it. */
export function paymentMeansOf(
  snapshot: DocumentSnapshot,
  number: string,
): ElectronicPayment | null {
  if (snapshot.kind === "credit_note" || snapshot.totals.gross <= 0n) return null;
  const { seller, customer, payment_codes } = snapshot;
  const reference = payment_codes?.reference ?? number;
  const wanted = customer.payment_mean;
  const slip = wanted === "FIK" ? slipOf(payment_codes?.fik_line ?? null) : null;
  if (slip !== null) return { reference, ...slip };
  const account = accountOf(seller);
  if (wanted === "Domestic" && account !== null) return { reference, ...account };
  const transfer = transferOf(seller, customer.country_key?.toUpperCase() ?? "DK");
  if (wanted === "International" && transfer !== null) return { reference, ...transfer };
  const is_domestic = (customer.country_key ?? "DK").toUpperCase() === "DK";
  const means = is_domestic ? (account ?? transfer) : transfer;
  return means && { reference, ...means };
}

type Slip = Omit<Extract<ElectronicPayment, { code: "93" }>, "reference">;

/** Reads a payment line: `+71<000000000000475+12345678<`, or `+73<+12345678<`. */
function slipOf(fik_line: string | null): Slip | null {
  const [, card_type, payment_id = "", creditor] =
    /^\+(71|73|75)<(\d*)\+(\d{8})<$/.exec(fik_line ?? "") ?? [];
  if (card_type === undefined || creditor === undefined) return null;
  return {
    code: "93",
    card_type: card_type as FikCardType,
    payment_id: payment_id === "" ? null : payment_id,
    creditor,
  };
}

function accountOf(seller: Seller | null) {
  const registration_number = xmlText(seller?.bank_registration_number);
  const account_number = xmlText(seller?.bank_account_number);
  if (registration_number === null || account_number === null) return null;
  return { code: "42" as const, registration_number, account_number };
}

function transferOf(seller: Seller | null, country: string) {
  const iban = xmlText(seller?.iban)?.replace(/\s/g, "").toUpperCase();
  if (iban === undefined || iban === "") return null;
  const swift = xmlText(seller?.swift)?.replace(/\s/g, "").toUpperCase() ?? null;
  const is_near = isInEuropeanUnion(country) || SEPA_OUTSIDE_OF_UNION.has(country);
  return { code: is_near ? ("58" as const) : ("30" as const), iban, swift };
}
