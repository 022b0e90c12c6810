/**
 * The electronic address of a customer, for e-invoices: the one that was entered, or one of its Danish numbers. For customers of
 * other countries nothing is guessed, because the same number may be registered under several schemes.
 */
import { locationNumberFault } from "../base/location-number.ts";
import { registrationNumberFrom } from "../sales/registration-number.ts";
import { bareVatNumber } from "../sales/vat-prefix.ts";

/** The fields of a customer that decide where its e-invoices go. */
export interface ReceiverFields {
  readonly country_key: string;
  readonly is_person: boolean;
  readonly einvoice_address: string | null;
  readonly ean_number: string | null;
  readonly vat_number: string | null;
  readonly se_number: string | null;
  readonly p_number: string | null;
  readonly invoice_mail_out_option_key: string | null;
}

/**
 * Returns the address, `scheme:value`; null if there is none, or if the number that it is made of does not have its form.
 * `invoice_mail_out_option_key` (GLN, VAT, SE or P) says which number it is; otherwise it is the EAN number, or the CVR number.
 * A private person has only an entered address or an EAN number.
 */
export function receiverAddress(customer: ReceiverFields): string | null {
  if (customer.einvoice_address !== null) return customer.einvoice_address;
  if (customer.is_person) return locationAddress(customer);
  switch (customer.invoice_mail_out_option_key?.trim().toUpperCase()) {
    case "GLN":
      return locationAddress(customer);
    case "VAT":
      return companyAddress(customer);
    case "SE":
      return addressOf("0198:DK", digitsOf(customer.se_number, /^(?:DK)?(\d{8})$/));
    case "P":
      return addressOf("0096:", digitsOf(customer.p_number, /^(\d{10})$/));
    default:
      return locationAddress(customer) ?? companyAddress(customer);
  }
}

function locationAddress({ ean_number }: ReceiverFields): string | null {
  const digits = digitsOf(ean_number, /^(\d{13})$/);
  return locationNumberFault(digits) === null ? addressOf("0088:", digits) : null;
}

function companyAddress({ country_key, vat_number }: ReceiverFields): string | null {
  return addressOf("0184:", registrationNumberFrom(vat_number, country_key));
}

/** Returns the digits of a number, without its letters and separators; null where it does not have the form. */
function digitsOf(text: string | null, form: RegExp): string | null {
  return form.exec(bareVatNumber(text) ?? "")?.[1] ?? null;
}

function addressOf(start: string, digits: string | null): string | null {
  return digits === null ? null : `${start}${digits}`;
}
