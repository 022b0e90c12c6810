/**
 * Makes the blocks of seller and customer: names, addresses and the numbers that the VAT rules require. A Danish VAT number is a
 * CVR number to a Danish reader and needs its `DK` only for foreign readers.
 */
import type { DocumentSnapshot, Seller } from "../../../domain/sales/document.ts";
import { vatNumberWithCountry } from "../../../domain/sales/vat-prefix.ts";
import { clean, cleanOrNull } from "./clean.ts";
import { formatCountry } from "./format.ts";
import { type PrintLanguage, texts } from "./texts.ts";
import type { FactView, PartyView } from "./view-parts.ts";

/** A frozen paper of a seller to a customer. */
type PaperParties = Pick<DocumentSnapshot, "seller" | "customer" | "language" | "account_name">;

/** A label and its value; a fact without a value is not shown. */
export type MaybeFact = readonly [label: string, value: string | null];

/** The seller, or only the account's name while no seller is configured (spec 7.3). */
export function sellerBlock(snapshot: PaperParties): PartyView {
  const { seller, language } = snapshot;
  const name = sellerName(snapshot);
  if (seller === null) return { label: "", name, lines: [] };
  const words = texts[language];
  const phone = cleanOrNull(seller.phone);
  const lines = [
    ...addressLines(seller, language, isAbroad(snapshot)),
    companyNumber(seller.vat_number, seller.country_key ?? "DK", language),
    cleanOrNull(seller.email),
    phone === null ? null : `${words.phone} ${phone}`,
  ];
  return { label: "", name, lines: lines.flatMap((line) => line ?? []) };
}

/** The customer with contact, address and registration numbers, under a label. */
export function customerBlock(snapshot: PaperParties, label: string): PartyView {
  const { customer, language } = snapshot;
  const words = texts[language];
  const att = cleanOrNull(customer.att_person);
  const ean = cleanOrNull(customer.ean_number);
  const lines = [
    att === null ? null : `${words.attention} ${att}`,
    ...addressLines(customer, language, isAbroad(snapshot)),
    companyNumber(customer.vat_number, customer.country_key, language),
    ean === null ? null : `${words.locationNumber} ${ean}`,
  ];
  return {
    label,
    name: clean(customer.name),
    lines: lines.flatMap((line) => line ?? []),
  };
}

/** Name, address and number of the seller in one line, for the foot of each page. */
export function sellerFooter(snapshot: PaperParties): string {
  const { seller, language } = snapshot;
  if (seller === null) return sellerName(snapshot);
  const address = addressLines(seller, language, false).join(", ");
  const number = companyNumber(seller.vat_number, seller.country_key ?? "DK", language);
  return [sellerName(snapshot), address, number ?? ""].filter((part) => part !== "").join("  ·  ");
}

/** The accounts of the seller to which a customer pays. */
export function accountsOf(seller: Seller | null, language: PrintLanguage): MaybeFact[] {
  const words = texts[language];
  const account = [seller?.bank_registration_number, seller?.bank_account_number]
    .flatMap((part) => cleanOrNull(part) ?? [])
    .join(" ");
  const iban = cleanOrNull(seller?.iban)?.replace(/\s/g, "") ?? null;
  return [
    [words.bankAccount, account === "" ? null : account],
    [words.iban, iban === null ? null : iban.replace(/(.{4})(?=.)/g, "$1 ")],
    [words.swift, cleanOrNull(seller?.swift)],
  ];
}

/** Returns the facts that have a value. */
export function knownFacts(facts: readonly MaybeFact[]): FactView[] {
  return facts.flatMap(([label, value]) => (value === null ? [] : { label, value }));
}

/** The VAT number with the letters of its country; null when there is none. */
export function fullVatNumber(vatNumber: string | null, countryKey: string | null): string | null {
  return vatNumberWithCountry(cleanOrNull(vatNumber), countryKey);
}

function companyNumber(
  vatNumber: string | null,
  countryKey: string | null,
  language: PrintLanguage,
): string | null {
  const words = texts[language];
  if (countryKey?.toUpperCase() === "DK") {
    const number = fullVatNumber(vatNumber, "DK");
    if (number === null) return null;
    return language === "da"
      ? `${words.companyNumber} ${number.slice(2)}`
      : `${words.vatNumber} ${number}`;
  }
  const number = cleanOrNull(vatNumber);
  return number === null ? null : `${words.vatNumber} ${number}`;
}

interface Address {
  readonly street: string | null;
  readonly zip_code: string | null;
  readonly city: string | null;
  readonly country_key: string | null;
}

/** Countries whose addresses have the postal code after the city. */
const codeAfterCity = new Set(["GB", "IE", "US", "CA", "AU", "NZ", "IN", "SG"]);

function addressLines(address: Address, language: PrintLanguage, withCountry: boolean): string[] {
  const country = cleanOrNull(address.country_key);
  const code = cleanOrNull(address.zip_code);
  const city = cleanOrNull(address.city);
  const parts = codeAfterCity.has(country ?? "") ? [city, code] : [code, city];
  const place = parts.flatMap((part) => part ?? []).join(" ");
  return [
    ...(cleanOrNull(address.street)?.split("\n") ?? []),
    ...(place === "" ? [] : [place]),
    ...(withCountry && country !== null ? [formatCountry(country, language)] : []),
  ];
}

/** Whether the country is named: only when a letter between seller and customer would cross a border. */
function isAbroad(snapshot: PaperParties): boolean {
  const customer_country = snapshot.customer.country_key?.toUpperCase() ?? "DK";
  return customer_country !== (snapshot.seller?.country_key?.toUpperCase() ?? "DK");
}

function sellerName(snapshot: PaperParties): string {
  return cleanOrNull(snapshot.seller?.name) ?? clean(snapshot.account_name);
}
