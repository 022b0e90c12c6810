/**
 * What buyers answer to e-invoices: the codes in their order, which answer stands, and whether an answer is about a document of
 * the account. An answer books, credits, pays and cancels nothing.
 */

/** The codes of Peppol's Invoice Response, each replaced by a later one; any may be the first or missing. */
export const answerCodes = ["AB", "IP", "UQ", "CA", "RE", "AP", "PD"] as const;
export type AnswerCode = (typeof answerCodes)[number];

/** Whether a new answer replaces the one that stands: its code is later in the order, or the same. */
export function replacesAnswer(code: AnswerCode, current: string | null): boolean {
  const place = (one: string) => (answerCodes as readonly string[]).indexOf(one);
  return current === null || place(code) >= place(current);
}

/** How a document is named: its number, and its year where numbers restart by year (`2026-47`). */
interface NamedNumber {
  readonly number: bigint;
  readonly year: number | null;
}

/** Returns the number that a buyer names; null for a text that is no number of ours. */
export function namedNumber(text: string): NamedNumber | null {
  const [, year, number] = /^(?:(\d{4})-)?([1-9]\d{0,14})$/.exec(text) ?? [];
  if (number === undefined) return null;
  return { number: BigInt(number), year: year === undefined ? null : Number(year) };
}

interface NamedSeller {
  readonly vat_number?: string | null;
  readonly registration_number?: string | null;
  readonly einvoice_address?: string | null;
}

/** Whether an address is that of the seller: the one of the settings, or the CVR number. */
export function isSellersAddress(address: string, seller: NamedSeller | null): boolean {
  const cvr = seller?.registration_number ?? seller?.vat_number?.replace(/\D/g, "") ?? "";
  const own = [seller?.einvoice_address ?? "", cvr === "" ? "" : `0184:${cvr}`];
  return own.some((one) => one !== "" && isSameAddress(one, address));
}

/** Addresses are compared without case; `0184:DK…` is an older form of a CVR number. */
export function isSameAddress(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(address: string): string {
  return address.toLowerCase().replace(/^0184:dk/, "0184:");
}
