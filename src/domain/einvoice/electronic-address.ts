/**
 * Electronic addresses, `scheme:value`, to which e-invoices are sent: the schemes that Peppol accepts (the EAS list of BIS 3.0.21),
 * and the forms and check digits of their values. No network is asked: an address that is correct here may not exist.
 */

import { locationNumberFault } from "../base/location-number.ts";
import type { FieldError } from "../base/problem.ts";
import { hasWrongCheckDigit } from "../sales/vat-check-digits.ts";
import { vatNumberFault } from "../sales/vat-number.ts";
import { vatPrefix } from "../sales/vat-prefix.ts";
import { isAddress } from "./address-form.ts";

const SCHEMES: ReadonlySet<string> = new Set(
  (
    "0002 0007 0009 0060 0088 0096 0097 0106 0130 0135 0142 0151 0183 0184 0188 0190 0191 0192 0195 0196 0198 0199 0200 0201 " +
    "0204 0208 0209 0210 0211 0216 0218 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 9910 9913 9914 9915 9918 9919 9920 " +
    "9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 " +
    "9946 9947 9948 9949 9950 9951 9952 9953 9957 9959"
  ).split(" "),
);

interface ValueForm {
  readonly form: RegExp;
  /** What the value is, for a message: "Scheme 0088 takes …". */
  readonly says: string;
  readonly hasRightDigits?: (value: string) => boolean;
}

/** The forms of schemes whose values are known. Values of other schemes are any text without white space. */
const FORMS: Readonly<Record<string, ValueForm>> = {
  "0007": {
    form: /^\d{10}$/,
    says: "a Swedish organisation number of 10 digits",
    hasRightDigits: (value) => !hasWrongCheckDigit("SE", value),
  },
  "0088": {
    form: /^\d{13}$/,
    says: "a GLN of 13 digits",
    hasRightDigits: (value) => locationNumberFault(value) === null,
  },
  "0096": { form: /^\d{10}$/, says: "a Danish P number of 10 digits" },
  "0106": { form: /^\d{8}$/, says: "a Dutch KVK number of 8 digits" },
  "0151": {
    form: /^\d{11}$/,
    says: "an Australian business number of 11 digits",
    hasRightDigits: isAustralian,
  },
  "0184": {
    form: /^\d{8}$/,
    says: "a Danish CVR number of 8 digits",
    hasRightDigits: isDanish,
  },
  "0192": {
    form: /^\d{9}$/,
    says: "a Norwegian organisation number of 9 digits",
    hasRightDigits: isNorwegian,
  },
  "0198": {
    form: /^DK\d{8}$/,
    says: "DK and a Danish SE number of 8 digits",
    hasRightDigits: (value) => isDanish(value.slice(2)),
  },
  "0208": {
    form: /^\d{10}$/,
    says: "a Belgian enterprise number of 10 digits",
    hasRightDigits: (value) => !hasWrongCheckDigit("BE", value),
  },
};

/** The schemes of VAT numbers, each with its member state of the EU. */
export const VAT_SCHEMES: Readonly<Record<string, string>> = {
  "9910": "HU",
  "9914": "AT",
  "9925": "BE",
  "9926": "BG",
  "9928": "CY",
  "9929": "CZ",
  "9930": "DE",
  "9931": "EE",
  "9933": "GR",
  "9934": "HR",
  "9935": "IE",
  "9937": "LT",
  "9938": "LU",
  "9939": "LV",
  "9943": "MT",
  "9944": "NL",
  "9945": "PL",
  "9946": "PT",
  "9947": "RO",
  "9949": "SI",
  "9950": "SK",
  "9957": "FR",
};

/** The fault of an address: it is no `scheme:value`, Peppol has no such scheme, or the value is none of the scheme. */
export type AddressFault = "address_form" | "scheme" | "value" | "check_digit";

/** Returns the fault of an electronic address; null for a correct one. Spaces are not allowed anywhere. */
export function electronicAddressFault(text: string): AddressFault | null {
  if (!isAddress(text)) return "address_form";
  const [scheme, value] = [text.slice(0, 4), text.slice(5)];
  if (!SCHEMES.has(scheme)) return "scheme";
  const country = VAT_SCHEMES[scheme];
  return country === undefined ? faultOfValue(scheme, value) : faultOfVatNumber(country, value);
}

/** Returns the faults of an electronic address that is set. */
export function electronicAddressFaults(text: string | null, field: string): FieldError[] {
  const fault = text === null ? null : electronicAddressFault(text);
  if (fault === null) return [];
  return [{ field, code: "invalid_format", message: messageOf(fault, text?.slice(0, 4) ?? "") }];
}

function messageOf(fault: AddressFault, scheme: string): string {
  switch (fault) {
    case "address_form":
      return "Not an address such as 0088:5798009811578: a scheme of four digits, a colon, and the value without spaces.";
    case "scheme":
      return `Peppol has no addresses of scheme ${scheme}.`;
    case "value": {
      const country = VAT_SCHEMES[scheme];
      const letters = vatPrefix(country ?? "");
      const says = FORMS[scheme]?.says ?? `a VAT number that begins with ${letters}`;
      return `Scheme ${scheme} takes ${says}.`;
    }
    case "check_digit":
      return "The check digit is wrong.";
  }
}

function faultOfValue(scheme: string, value: string): AddressFault | null {
  const known = FORMS[scheme];
  if (known === undefined) return null;
  if (!known.form.test(value)) return "value";
  return known.hasRightDigits?.(value) === false ? "check_digit" : null;
}

/** VAT numbers begin with the letters of their country. Greek ones may lack them: a Greek rule demands the nine digits alone. */
function faultOfVatNumber(country: string, value: string): AddressFault | null {
  const has_letters = value.startsWith(vatPrefix(country));
  if (!/^[A-Z0-9]+$/.test(value) || !(has_letters || country === "GR")) return "value";
  const fault = vatNumberFault(value, country);
  if (fault === null || fault === "check_digit") return fault;
  return "value";
}

function isDanish(digits: string): boolean {
  return !hasWrongCheckDigit("DK", digits);
}

/** Weights 3 2 7 6 5 4 3 2 and a check digit, modulus 11. */
function isNorwegian(digits: string): boolean {
  return weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 && Number(digits) > 0;
}

/** The first digit counts one less, modulus 89. */
function isAustralian(digits: string): boolean {
  return (weighted(digits, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}
