/**
 * Which VAT code a line has, and its rate. The revenue account says what is sold; the customer's
 * country and VAT number overrule it (decisions.md 17, ledger.md 4.3). A missing field never makes a
 * domestic sale free of VAT.
 */
import { isInEuropeanUnion } from "./country.ts";
import type { Percent } from "./money.ts";
import type { VatCode } from "./vat-code.ts";

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

/** The code of a sale on an account with the given code (null: an ordinary domestic service). */
export function determineVat(
  account_code: VatCode | null,
  customer: VatCustomer,
  settings: VatSettings,
): VatCode {
  if (account_code === "DK0") return "DK0";
  if (customer.country_key === settings.domestic_country) {
    return account_code === "DK_RC" ? "DK_RC" : "DK25";
  }
  const goods = account_code !== null && GOODS.has(account_code);
  if (!isInEuropeanUnion(customer.country_key)) return goods ? "EXPORT_GOODS" : "EXPORT_SERVICES";
  const is_taxable_business = !customer.is_person && (customer.vat_number ?? "").trim() !== "";
  if (!is_taxable_business) return "DK25";
  return goods ? "EU_GOODS_RC" : "EU_SERVICES_RC";
}

/** Only DK25 charges VAT; its rate is configuration (decisions.md 46). */
export function vatRate(code: VatCode, settings: VatSettings): Percent {
  return code === "DK25" ? settings.domestic_rate : 0;
}

/** Domestic reverse charge is for goods too (ledger.md 4.3), which abroad are goods and not services. */
const GOODS: ReadonlySet<VatCode> = new Set(["EU_GOODS_RC", "EXPORT_GOODS", "DK_RC"]);
