/**
 * Freezes the payment codes of an invoice in its stored text. They follow from the number, which the ledger gives when it books
 * the payload, so they are outside of the digest of the payload, and the check of frozen documents computes them again.
 */
import { paymentCodesOf } from "../../../domain/receivables/payment-codes.ts";
import type { DocumentSnapshot, PaymentCodes } from "../../../domain/sales/document.ts";
import { freeze } from "../../../platform/runtime/json.ts";

/** Returns the payment codes of an issued invoice. `year` is that of its number; null where numbers do not restart. */
export function issuedCodes(
  { currency, seller }: Pick<DocumentSnapshot, "currency" | "seller">,
  number: bigint,
  year: number | null,
): PaymentCodes {
  return paymentCodesOf({ kind: "invoice", number, ledger_year: year, currency, seller });
}

/** Returns the frozen text of a document with its payment codes as the last field. */
export function withCodes(payload: string, codes: PaymentCodes): string {
  return `${payload.slice(0, -1)},"payment_codes":${freeze(codes)}}`;
}

/** Returns the frozen text as it was booked: without payment codes. */
export function withoutCodes(text: string): string {
  return text.replace(/,"payment_codes":\{[^{}]*\}\}$/, "}");
}
