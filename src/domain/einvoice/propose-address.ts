/**
 * What a number that a person has typed may be, and the electronic addresses that follow from it. A proposal is not an address: a
 * person accepts it, because a customer may be registered under another scheme.
 */
import { bareVatNumber, vatPrefix } from "../sales/vat-prefix.ts";
import { type AddressFault, electronicAddressFault, VAT_SCHEMES } from "./electronic-address.ts";

/** The numbers that addresses are made of. `other` is one of a scheme whose form is not known here. */
export type AddressKind =
  | "gln"
  | "cvr"
  | "se_number"
  | "p_number"
  | "norwegian"
  | "swedish"
  | "belgian"
  | "dutch"
  | "australian"
  | "vat_number"
  | "other";

export interface ProposedAddress {
  readonly address: string;
  readonly kind: AddressKind;
  /** `check_digit` if a digit of the number is wrong: the address is then not accepted. */
  readonly fault: AddressFault | null;
}

const KINDS: Readonly<Record<string, AddressKind>> = {
  "0007": "swedish",
  "0088": "gln",
  "0096": "p_number",
  "0106": "dutch",
  "0151": "australian",
  "0184": "cvr",
  "0192": "norwegian",
  "0198": "se_number",
  "0208": "belgian",
};

/** Returns what the value of an address is. */
export function kindOfAddress(address: string): AddressKind {
  const scheme = address.slice(0, 4);
  return KINDS[scheme] ?? (VAT_SCHEMES[scheme] === undefined ? "other" : "vat_number");
}

/**
 * Returns the addresses that a number may have: a GLN of 13 digits, and a company or VAT number of the country. Letters of a
 * country before the number take precedence over `country_key`. An unknown form has none.
 */
export function proposedAddresses(text: string, country_key: string): readonly ProposedAddress[] {
  const bare = bareVatNumber(text) ?? "";
  return addressesFrom(bare, country_key)
    .map((address) => ({
      address,
      kind: kindOfAddress(address),
      fault: electronicAddressFault(address),
    }))
    .filter(({ fault }) => fault === null || fault === "check_digit");
}

function addressesFrom(bare: string, country_key: string): string[] {
  if (/^\d{13}$/.test(bare)) return [`0088:${bare}`];
  const country = countryOfLetters(bare) ?? country_key;
  const number = bare.startsWith(vatPrefix(country)) ? bare.slice(2) : bare;
  switch (country) {
    case "DK":
      return made("0184:", /^(\d{8})$/, number);
    case "NO":
      return made("0192:", /^(\d{9})(?:MVA)?$/, number);
    case "SE":
      return made("0007:", /^(\d{10})(?:\d\d)?$/, number);
    case "BE": {
      const padded = number.padStart(10, "0");
      return ["0208:", "9925:BE"].flatMap((start) => made(start, /^([01]\d{9})$/, padded));
    }
    default: {
      const [scheme] = Object.entries(VAT_SCHEMES).find(([, one]) => one === country) ?? [];
      return scheme === undefined ? [] : made(`${scheme}:${vatPrefix(country)}`, /^(.+)$/, number);
    }
  }
}

function made(start: string, form: RegExp, number: string): string[] {
  const [, value] = form.exec(number) ?? [];
  return value === undefined ? [] : [start + value];
}

/** Returns the country whose letters a number begins with, if proposals know the country. */
function countryOfLetters(bare: string): string | undefined {
  const known = ["DK", "NO", "SE", ...Object.values(VAT_SCHEMES)];
  return known.find((country) => bare.startsWith(vatPrefix(country)));
}
