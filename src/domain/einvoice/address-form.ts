/** The form of an electronic address, `scheme:value`. `electronic-address.ts` knows the schemes and the forms of their values. */

/** The most characters of an address, by Peppol's policy for identifiers. */
export const LONGEST_ADDRESS = 130;

/** The form as a regular expression: a scheme of four digits, a colon, and a value without white space. */
export const ADDRESS_FORM = "^[0-9]{4}:[!-~]+$";

const FORM = new RegExp(ADDRESS_FORM);

/** Whether a text has the form and the length of an address. */
export function isAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && FORM.test(text);
}
