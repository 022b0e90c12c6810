/** The addresses of the bank pages. */

export const BANK = "/bank";
/** Where chosen lines are booked: the id of each is the name of a field, whose value is the key of its suggestion. */
export const BOOK_LINES = `${BANK}/book` as const;
export const LINE_PATH = `${BANK}/lines/:id` as const;

/** Returns the address of the page of a line. */
export function lineAddress(id: string): string {
  return `${BANK}/lines/${id}`;
}

/** Where a person says what a line is. */
export const OTHER_PATH = `${LINE_PATH}/other` as const;

/** Returns the address on which a person says what a line is. */
export function otherAddress(id: string): string {
  return `${lineAddress(id)}/other`;
}

/** The settings of the bank accounts. */
export const BANK_ACCOUNTS = "/settings/bank-accounts";
