/** Explains VAT to people: the decision of `determineVat` with its deciding fact. Documents use only the decision. */
import type { Percent } from "../base/money.ts";
import { determineVat, needsNumber, type VatCustomer, type VatSettings, vatRate } from "./vat.ts";
import type { VatCode } from "./vat-code.ts";
import { type VatNumberFault, vatNumberFault } from "./vat-number.ts";

/**
 * A code that charges no VAT is its own ground. VAT is charged because buyer and seller are in the same country, or because the
 * buyer, who would otherwise account for it, is not a business or does not prove it with a VAT number.
 */
export type VatGround = Exclude<VatCode, "DK25"> | "at_home" | "private_person" | VatNumberFault;

export interface VatReasoning {
  readonly vat_code: VatCode;
  readonly rate: Percent;
  readonly ground: VatGround;
}

/** Explains the VAT of a sale on an account with the given code (null: an ordinary domestic service). */
export function explainVat(
  account_code: VatCode | null,
  customer: VatCustomer,
  settings: VatSettings,
): VatReasoning {
  const vat_code = determineVat(account_code, customer, settings);
  const rate = vatRate(vat_code, settings);
  if (vat_code !== "DK25") return { vat_code, rate, ground: vat_code };
  return { vat_code, rate, ground: groundOfCharge(account_code, customer, settings) };
}

function groundOfCharge(
  account_code: VatCode | null,
  customer: VatCustomer,
  settings: VatSettings,
): VatGround {
  if (!needsNumber(account_code, customer, settings)) return "at_home";
  if (customer.is_person) return "private_person";
  return vatNumberFault(customer.vat_number, customer.country_key) ?? "at_home";
}
