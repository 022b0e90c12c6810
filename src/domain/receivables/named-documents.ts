/** Finds the documents that the text of a bank line names: by a payment reference with right check digits, or by a number. */
import { isPaymentId } from "../sales/fik.ts";
import { isCreditorReference, withoutZeros } from "./payment-codes.ts";

/** What a payer wrote. */
export interface PayersText {
  /** The structured reference; empty where there is none. */
  readonly reference: string;
  readonly end_to_end_id: string;
  readonly text: string;
}

const CREDITOR_REFERENCE = /\bRF\d\d(?: ?[0-9A-Z]{1,4}){1,6}\b/gi;
/** `+71<000000000000471+81234567<`, or `71/000000000000471`. */
const PAYMENT_SLIP = /(?:\+71<|\b71\/)\s*(\d{15})\b/g;
const STRUCTURED = /^\s*(\d{15})\s*$/;
const WORD = /(?<![\d.,/-])\d{3,}(?![\d/-]|[.,]\d)/g;
const INTRODUCED =
  /(?:\bfaktura|\binvoice|\bnr\b\.?|\bno\b\.?|#)\s*(?:nr\b\.?|no\b\.?|#)?\s*:?\s*(\d+)/gi;
const OF_INVOICE = /\b(?:faktura|invoice)\s*(?:nr\b\.?|no\b\.?|#)?\s*:?\s*(\d+)/gi;

/** Returns the payment references in the text with right check digits, as documents print them: `RF9347` or 15 digits. */
export function referencesIn({ reference, end_to_end_id, text }: PayersText): string[] {
  const found = new Set<string>();
  for (const part of [reference, end_to_end_id, text]) {
    for (const [written] of part.matchAll(CREDITOR_REFERENCE)) addCreditorReference(written, found);
    for (const [, id = ""] of part.matchAll(PAYMENT_SLIP)) if (isPaymentId(id)) found.add(id);
  }
  const structured = STRUCTURED.exec(reference)?.[1];
  if (structured !== undefined && isPaymentId(structured)) found.add(structured);
  return [...found];
}

/** Returns the numbers that may be those of documents: words of at least three digits, and numbers behind "faktura" or "#". */
export function numbersIn({ reference, text }: PayersText): string[] {
  const found = new Set<string>();
  for (const part of [reference, text]) {
    for (const [word] of part.matchAll(WORD)) found.add(withoutZeros(word));
    for (const [, number = ""] of part.matchAll(INTRODUCED)) found.add(withoutZeros(number));
  }
  return [...found];
}

/** Returns the numbers that the text calls those of invoices. */
export function invoiceNumbersIn({ reference, text }: PayersText): string[] {
  const found = [reference, text].flatMap((part) => [...part.matchAll(OF_INVOICE)]);
  return found.map(([, number = ""]) => withoutZeros(number));
}

/** A reference may be written in groups of four; a following word is not part of it, so the longest right one is taken. */
function addCreditorReference(written: string, found: Set<string>): void {
  const groups = written.split(" ");
  for (let length = groups.length; length > 0; length -= 1) {
    const joined = groups.slice(0, length).join("").toUpperCase();
    if (!isCreditorReference(joined)) continue;
    found.add(joined);
    return;
  }
}
