/**
 * Determines the VAT code of a line, and its rate. The revenue account says what is sold; the customer's country and VAT number
 * override it (spec 9.2). A missing field, or a number that cannot be correct, never makes a sale free of VAT.
 */
import { isInEuropeanUnion } from "../base/country.ts";
import type { Percent } from "../base/money.ts";
import type { VatCode } from "./vat-code.ts";
import { vatNumberFault } from "./vat-number.ts";
import { isNorthernIrish } from "./vat-prefix.ts";

export interface VatSettings {
  readonly domestic_rate: Percent;
  /** ISO 3166-1 alpha-2 */
  readonly domestic_country: string;
}

export interface VatCustomer {
  readonly country_key: string;
  readonly is_person: boolean;
  readonly vat_number: string | null;
}

/** Returns the code of a sale on an account with the given code (null: an ordinary domestic service). */
export function determineVat(
  account_code: VatCode | null,
  customer: VatCustomer,
  settings: VatSettings,
): VatCode {
  const code = codeOfBusiness(account_code, customer, settings);
  if (!BY_NUMBER.has(code)) return code;
  const { is_person, vat_number, country_key } = customer;
  return !is_person && vatNumberFault(vat_number, country_key) === null ? code : "DK25";
}

/** Whether the buyer of a sale accounts for its VAT, if the buyer's number shows that it is a business. */
export function needsNumber(
  account_code: VatCode | null,
  customer: VatCustomer,
  settings: VatSettings,
): boolean {
  return BY_NUMBER.has(codeOfBusiness(account_code, customer, settings));
}

/** Returns the code of a sale to a customer who is a business and has a VAT number. */
function codeOfBusiness(
  account_code: VatCode | null,
  customer: VatCustomer,
  settings: VatSettings,
): VatCode {
  if (account_code === "DK0") return "DK0";
  if (customer.country_key === settings.domestic_country) {
    return account_code === "DK_RC" ? "DK_RC" : "DK25";
  }
  const goods = account_code !== null && GOODS.has(account_code);
  if (isInEuropeanUnion(customer.country_key)) return goods ? "EU_GOODS_RC" : "EU_SERVICES_RC";
  if (goods && isNorthernIrish(customer.vat_number, customer.country_key)) return "EU_GOODS_RC";
  return goods ? "EXPORT_GOODS" : "EXPORT_SERVICES";
}

/** Returns the VAT rate of a code. Only DK25 charges VAT; its rate is configuration (spec 9.2). */
export function vatRate(code: VatCode, settings: VatSettings): Percent {
  return code === "DK25" ? settings.domestic_rate : 0;
}

/** Domestic reverse charge is for goods too (spec 9.2), so its sales abroad count as goods and not as services. */
const GOODS: ReadonlySet<VatCode> = new Set(["EU_GOODS_RC", "EXPORT_GOODS", "DK_RC"]);

/** The codes that leave the VAT to the buyer, who must be a business for that. */
export const BY_NUMBER: ReadonlySet<VatCode> = new Set(["DK_RC", "EU_SERVICES_RC", "EU_GOODS_RC"]);
