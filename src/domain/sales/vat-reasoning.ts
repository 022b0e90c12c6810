/**
 * Why a customer is charged the VAT that they are: what `determineVat` decides, with the fact that it turns on. For people to
 * read; documents go by the decision alone.
 */
import type { Percent } from "../base/money.ts";
import { determineVat, needsNumber, type VatCustomer, type VatSettings, vatRate } from "./vat.ts";
import type { VatCode } from "./vat-code.ts";
import { type VatNumberFault, vatNumberFault } from "./vat-number.ts";

/**
 * A code that charges nothing is a ground of its own. VAT is charged because buyer and seller are in the same country, or
 * because a buyer who would pay it themselves is no business, or does not show to be one.
 */
export type VatGround = Exclude<VatCode, "DK25"> | "at_home" | "private_person" | VatNumberFault;

export interface VatReasoning {
  readonly vat_code: VatCode;
  readonly rate: Percent;
  readonly ground: VatGround;
}

/** What a sale on an account with the given code (null: an ordinary domestic service) is charged, and why. */
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
