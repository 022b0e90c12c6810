/** Finds missing fields that the law requires (VAT directive article 226, momsbekendtgørelsen § 58), by resource. */

import { Problem } from "../base/problem.ts";
import type { DocumentCustomer, DocumentSnapshot, Seller } from "./document.ts";
import { FIK_CURRENCY } from "./fik.ts";
import { BY_NUMBER } from "./vat.ts";
import { vatNumberFault } from "./vat-number.ts";

/** A field such as `seller.vat_number`. */
type MissingField = string;

/**
 * Returns the missing fields among name, address and VAT number of the seller. The account's name, which is printed instead of a
 * missing name, does not count as a name, and a text without the form of a VAT number does not count as a number.
 */
export function missingOfSeller(seller: Seller | null, domestic_country: string): MissingField[] {
  const fields = missing("seller", seller, ["name", "street", "city"]);
  const fault = sellerNumberFault(seller, domestic_country);
  const has_number = fault !== "absent" && fault !== "form";
  return has_number ? fields : [...fields, "seller.vat_number"];
}

/** Returns the fault of the seller's number. A seller without a country is in the account's country. */
export function sellerNumberFault(seller: Seller | null, domestic_country: string) {
  return vatNumberFault(seller?.vat_number ?? null, seller?.country_key ?? domestic_country);
}

/**
 * Whether an invoice in the currency shows where to pay: an IBAN, a registration and account number, or for kroner the creditor
 * number of payment slips.
 */
export function hasBankAccount(seller: Seller | null, currency: string): boolean {
  if (seller === null) return false;
  const { iban, bank_registration_number, bank_account_number, fik_creditor_number } = seller;
  if (currency === FIK_CURRENCY && is(fik_creditor_number)) return true;
  return is(iban) || (is(bank_registration_number) && is(bank_account_number));
}

/** Returns the missing fields among name and address of the buyer. */
function missingOfBuyer(customer: DocumentCustomer): MissingField[] {
  return missing("customer", customer, ["name", "street", "city"]);
}

/**
 * Refuses a document that leaves the VAT to the buyer without the seller's VAT number or the buyer's name, address or
 * VAT number; in strict mode, any that lacks what the law requires. Throws INVOICE_INCOMPLETE with the fields.
 */
export function requireComplete(
  document: DocumentSnapshot,
  {
    domestic_country,
    is_strict,
  }: { readonly domestic_country: string; readonly is_strict: boolean },
): void {
  const is_shifted = document.vat.some(({ vat_code }) => BY_NUMBER.has(vat_code));
  if (!is_shifted && !is_strict) return;
  const seller = missingOfSeller(document.seller, domestic_country);
  const fields = [
    ...(is_strict ? seller : seller.filter((field) => field === "seller.vat_number")),
    ...missingOfBuyer(document.customer),
    ...(is_shifted && !is(document.customer.vat_number) ? ["customer.vat_number"] : []),
  ];
  if (fields.length > 0) {
    throw new Problem("INVOICE_INCOMPLETE", { details: { missing: fields } });
  }
}

function missing<Party extends object>(
  party: string,
  fields: Party | null,
  names: readonly (keyof Party & string)[],
): MissingField[] {
  return names.filter((name) => !is(fields?.[name])).map((name) => `${party}.${name}`);
}

/** Whether the value is a text that is not blank. */
function is(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
