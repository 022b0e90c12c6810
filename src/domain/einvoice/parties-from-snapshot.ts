/** Seller and buyer of an e-invoice, with the numbers by which its receivers know them. */
import { isInEuropeanUnion } from "../base/country.ts";
import { locationNumberFault } from "../base/location-number.ts";
import type { DocumentCustomer, DocumentSnapshot, Seller } from "../sales/document.ts";
import { registrationNumberFrom } from "../sales/registration-number.ts";
import { vatNumberFault } from "../sales/vat-number.ts";
import {
  bareVatNumber,
  isNorthernIrish,
  vatNumberWithCountry,
  vatPrefix,
} from "../sales/vat-prefix.ts";
import type { ElectronicAddress, ElectronicBuyer, ElectronicSeller } from "./electronic-invoice.ts";
import { xmlText } from "./xml-element.ts";

/** The scheme of Danish company numbers (CVR). */
const CVR = "0184";

/**
 * Returns the seller. Its registration number and electronic address are those of its Danish VAT number where they were not set. A
 * document of services outside the EU names no VAT number.
 */
export function sellerOf({
  seller,
  vat,
}: Pick<DocumentSnapshot, "seller" | "vat">): ElectronicSeller {
  const country_key = xmlText(seller?.country_key)?.toUpperCase() ?? "DK";
  const vat_number = sellerVatNumber(seller, country_key);
  const registration_number =
    xmlText(seller?.registration_number) ??
    registrationNumberFrom(seller?.vat_number ?? null, country_key);
  const endpoint = addressFrom(seller?.einvoice_address ?? null);
  return {
    ...addressOf(seller),
    name: xmlText(seller?.name),
    country_key,
    registration_number,
    vat_number: isOutsideOfScope(vat) ? null : vat_number,
    endpoint:
      endpoint ??
      (registration_number === null ? null : { scheme: CVR, value: registration_number }),
    contact: {
      name: xmlText(seller?.contact_name),
      phone: xmlText(seller?.phone),
      email: xmlText(seller?.email),
    },
  };
}

/** Returns the buyer, at the address to which the e-invoice goes. */
export function buyerOf(
  { customer, vat }: Pick<DocumentSnapshot, "customer" | "vat">,
  endpoint: ElectronicAddress | null,
): ElectronicBuyer {
  const country_key = xmlText(customer.country_key)?.toUpperCase() ?? null;
  return {
    ...addressOf(customer),
    name: xmlText(customer.name),
    country_key,
    endpoint,
    ...numbersOf(customer, country_key, isOutsideOfScope(vat)),
    identifiers: identifiersOf(customer),
    contact: {
      name: xmlText(customer.att_person),
      phone: xmlText(customer.phone),
      email: xmlText(customer.email),
    },
  };
}

/** Returns the two parts of `0088:5798009811578`; null for null and for another form. */
export function addressFrom(text: string | null): ElectronicAddress | null {
  const [, scheme, value] = /^([0-9A-Z]+):(\S+)$/.exec(text ?? "") ?? [];
  return scheme === undefined || value === undefined ? null : { scheme, value };
}

/** Returns an address as `scheme:value`. */
export function addressText({ scheme, value }: ElectronicAddress): string {
  return `${scheme}:${value}`;
}

function addressOf(party: Pick<Seller, "street" | "zip_code" | "city"> | null) {
  return {
    street: xmlText(party?.street)?.replace(/\s*\n\s*/g, ", ") ?? null,
    zip_code: xmlText(party?.zip_code),
    city: xmlText(party?.city),
  };
}

/** Services outside the EU are outside the scope of VAT, and neither VAT number may stand on their document (BR-O-02). */
function isOutsideOfScope(vat: DocumentSnapshot["vat"]): boolean {
  return vat.some(({ vat_code }) => vat_code === "EXPORT_SERVICES");
}

function sellerVatNumber(seller: Seller | null, country_key: string): string | null {
  const fault = vatNumberFault(seller?.vat_number ?? null, country_key);
  if (fault === "absent" || fault === "form") return null;
  return xmlText(vatNumberWithCountry(seller?.vat_number ?? null, country_key));
}

type Numbers = Pick<ElectronicBuyer, "vat_number" | "registration">;

/**
 * Returns the numbers of the buyer. Outside of the Union a number counts as one for VAT only where it begins with the letters of its
 * country, because the rules want to read the country from it.
 */
function numbersOf(
  { vat_number: text }: DocumentCustomer,
  country_key: string | null,
  has_no_vat: boolean,
): Numbers {
  const bare = xmlText(bareVatNumber(text));
  if (bare === null || country_key === null) return { vat_number: null, registration: null };
  const digits = registrationNumberFrom(bare, country_key);
  const registration = digits === null ? null : { scheme: CVR, value: digits };
  const fault = vatNumberFault(bare, country_key);
  if (fault === "form") return { vat_number: null, registration };
  const is_european = fault !== null || isWithinUnion(bare, country_key);
  if (!is_european && !bare.startsWith(vatPrefix(country_key))) {
    return { vat_number: null, registration: { scheme: null, value: bare } };
  }
  const whole = fault === "country" ? bare : vatNumberWithCountry(bare, country_key);
  return { vat_number: has_no_vat ? null : whole, registration };
}

function isWithinUnion(bare: string, country_key: string): boolean {
  return isInEuropeanUnion(country_key) || isNorthernIrish(bare, country_key);
}

/** The location number and the production unit, where they have their form: rules refuse other values. */
function identifiersOf({ ean_number, p_number }: DocumentCustomer): ElectronicAddress[] {
  const gln = (ean_number ?? "").replace(/\s/g, "");
  const unit = (p_number ?? "").replace(/\s/g, "");
  return [
    ...(gln !== "" && locationNumberFault(gln) === null ? [{ scheme: "0088", value: gln }] : []),
    ...(/^\d{10}$/.test(unit) ? [{ scheme: "0096", value: unit }] : []),
  ];
}
