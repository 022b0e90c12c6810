/**
 * Danish payment slips (fælles indbetalingskort, FIK): the line that a customer types in their bank, by which the bank tells the
 * invoice of a payment. It has the card type, the payment id of the invoice and the seller's creditor number.
 */

/** With 71 and 75 the payment id says which invoice is paid; with 73 there is none, and the payer writes a text. */
export const fikCardTypes = ["71", "73", "75"] as const;
export type FikCardType = (typeof fikCardTypes)[number];

/** The creditor number that a bank gives: eight digits, without a check digit. */
export const FIK_CREDITOR = /^[0-9]{8}$/;

/** The currency of payment slips. */
export const FIK_CURRENCY = "DKK";

/** The digits of a payment id, the last of them a check digit. */
const DIGITS = { "71": 15, "73": 0, "75": 16 } as const satisfies Record<FikCardType, number>;

/**
 * Returns the payment line of a document: `+71<000000000000475+12345678<`. The payment id is the document's number with its check
 * digit. Null for a number that is not known yet or has too many digits.
 */
export function fikLine(
  creditor_number: string,
  card_type: FikCardType,
  number: bigint | null,
): string | null {
  const digits = DIGITS[card_type];
  if (digits === 0) return `+${card_type}<+${creditor_number}<`;
  if (number === null || number.toString().length >= digits) return null;
  const id = `${number}${checkDigitOf(number.toString())}`.padStart(digits, "0");
  return `+${card_type}<${id}+${creditor_number}<`;
}

/** Whether 15 digits are a payment id of card type 71: the last one is the check digit of the others. */
export function isPaymentId(digits: string): boolean {
  return /^\d{15}$/.test(digits) && checkDigitOf(digits.slice(0, -1)) === Number(digits.at(-1));
}

/** Modulus 10 with the weights 2 and 1 from the right, where the digits of a product are added (Luhn). */
function checkDigitOf(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
