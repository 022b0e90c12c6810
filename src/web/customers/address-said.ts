/** What the form of a customer says about the address of e-invoices. Browsers get it from the server. */

export interface AddressSaid {
  /** In the reader's language; empty if there is nothing to say. */
  readonly text: string;
  /** Whether the text says what is wrong with the typed address. */
  readonly is_fault: boolean;
  /** The address that e-invoices would go to; null without a correct one. */
  readonly address: string | null;
  /** Addresses that a person may accept. */
  readonly proposals: readonly string[];
}

/** What the register says of an address, in the reader's language; empty if nothing is known. */
export interface RegistrationSaid {
  readonly text: string;
}

/** The fields of the form whose change may change what is said. */
export const WATCHED: readonly string[] = [
  "einvoice_address",
  "ean_number",
  "vat_number",
  "country_key",
  "is_person",
];
