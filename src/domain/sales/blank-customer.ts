/** A buyer of whom nothing is known: where a document has a buyer only in part, or in name. */
import type { DocumentCustomer } from "./document.ts";

export const BLANK_CUSTOMER: DocumentCustomer = {
  id: "",
  external_id: null,
  name: "",
  is_person: false,
  street: null,
  zip_code: null,
  city: null,
  country_key: null,
  att_person: null,
  phone: null,
  email: null,
  vat_number: null,
  ean_number: null,
  se_number: null,
  p_number: null,
  external_reference: null,
  invoice_mail_out_option_key: null,
  payment_mean: null,
};
