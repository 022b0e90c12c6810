/**
 * What a document has to show by law (article 226 of the VAT directive, momsbekendtgørelsen § 58) and lacks: the
 * fields to fill in, by the resource that has them.
 */
import type { DocumentCustomer, Seller } from "./document.ts";

/** A field such as `seller.vat_number`. */
export type MissingField = string;

/** Name, address and VAT number of the seller. The account's name, which is printed instead of a name, is no seller's. */
export function missingOfSeller(seller: Seller | null): MissingField[] {
  return missing("seller", seller, ["name", "street", "city", "vat_number"]);
}

/** The seller's bank account, by IBAN or as registration and account number: how the invoice is to be paid. */
export function hasBankAccount(seller: Seller | null): boolean {
  if (seller === null) return false;
  const { iban, bank_registration_number, bank_account_number } = seller;
  return is(iban) || (is(bank_registration_number) && is(bank_account_number));
}

/** Name and address of the buyer. */
export function missingOfBuyer(customer: DocumentCustomer): MissingField[] {
  return missing("customer", customer, ["name", "street", "city"]);
}

function missing<Party extends object>(
  party: string,
  fields: Party | null,
  names: readonly (keyof Party & string)[],
): MissingField[] {
  return names.filter((name) => !is(fields?.[name])).map((name) => `${party}.${name}`);
}

/** Whether a text says something. */
function is(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
