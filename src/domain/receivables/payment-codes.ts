/**
 * Payment codes of a document (spec 10.2): the reference by which a bank tells which document was paid. It is a creditor reference of
 * ISO 11649 (RF), or in Denmark the payment id of a payment slip (FIK).
 */
import type { PaymentCodes, Seller } from "../sales/document.ts";
import { FIK_CURRENCY, fikLine } from "../sales/fik.ts";

/** The document by its number in the books. */
export interface NumberedDocument {
  readonly kind: "invoice" | "reminder";
  readonly number: bigint;
  /** The year, where numbers restart each year; otherwise null. */
  readonly ledger_year: number | null;
  readonly currency: string;
  readonly seller: Pick<Seller, "fik_creditor_number" | "fik_card_type"> | null;
}

const DIGITS_OF_YEARLY_NUMBER = 6;
/** The first of the 14 digits of a reminder. */
const REMINDER_DIGIT = 9n;
const LARGEST_REMINDER = 10n ** 13n;

/**
 * Returns the payment codes of a document. A payment slip of card type 73 has no payment id and one of 75 has 16 digits, so only
 * the id of card type 71 replaces the creditor reference.
 */
export function paymentCodesOf(document: NumberedDocument): PaymentCodes {
  const text = numberText(document);
  const rf = creditorReference(document.kind === "reminder" ? `R${text}` : text);
  const fik_line = fikLineOf(document, BigInt(text));
  const id = /^\+71<(\d{15})\+/.exec(fik_line ?? "")?.[1];
  return { reference: id ?? rf, rf, fik_line };
}

/** Returns the references that a document with a number may have been printed with: RF, and the id of a payment slip. */
export function referencesOfNumber(number: string, kind: NumberedDocument["kind"]): string[] {
  const seller = { fik_creditor_number: "00000000" };
  const document = { kind, number: BigInt(number), ledger_year: null, currency: FIK_CURRENCY };
  const { reference, rf } = paymentCodesOf({ ...document, seller });
  return [...new Set([rf, reference])];
}

/** Returns the numbers of the documents that a reference may have been printed on; their other references tell which of them it was. */
export function numbersOfReference(reference: string): string[] {
  if (!/^\d{15}$/.test(reference)) return [withoutZeros(reference.slice(4).replace(/^R/, ""))];
  const id = reference.slice(0, -1);
  return id.startsWith(`${REMINDER_DIGIT}`) ? [id, withoutZeros(id.slice(1))] : [withoutZeros(id)];
}

/** Returns the creditor reference of a text of at most 21 letters and digits: `RF` and two check digits before it (ISO 11649). */
export function creditorReference(text: string): string {
  const digits = 98n - remainderOf(`${text}RF00`);
  return `RF${digits.toString().padStart(2, "0")}${text}`;
}

/** Whether a text is a creditor reference with right check digits; blanks and small letters are accepted. */
export function isCreditorReference(text: string): boolean {
  const plain = text.replace(/\s/g, "").toUpperCase();
  if (!/^RF\d\d[0-9A-Z]{1,21}$/.test(plain)) return false;
  return remainderOf(plain.slice(4) + plain.slice(0, 4)) === 1n;
}

function numberText({ number, ledger_year }: NumberedDocument): string {
  if (ledger_year === null) return `${number}`;
  return `${ledger_year}${number.toString().padStart(DIGITS_OF_YEARLY_NUMBER, "0")}`;
}

/** The line of the payment slip; null in other currencies than kroner, and without a creditor number. */
function fikLineOf({ kind, currency, seller }: NumberedDocument, number: bigint): string | null {
  if (seller?.fik_creditor_number === undefined || currency !== FIK_CURRENCY) return null;
  const { fik_creditor_number: creditor, fik_card_type: card_type = "71" } = seller;
  if (kind === "invoice") return fikLine(creditor, card_type, number);
  if (number >= LARGEST_REMINDER) return fikLine(creditor, card_type, null);
  return fikLine(creditor, card_type, REMINDER_DIGIT * LARGEST_REMINDER + number);
}

/** Returns digits as numbers are written: without zeros before them. */
export function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}

/** The remainder by 97 of a text whose letters stand for 10 to 35. */
function remainderOf(text: string): bigint {
  const digits = [...text].map((character) => Number.parseInt(character, 36)).join("");
  return BigInt(digits) % 97n;
}
