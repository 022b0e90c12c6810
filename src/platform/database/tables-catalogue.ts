/** The tables of customers and products, in the form of `tables.ts`. */

import type { Generated, Json, Stamped } from "./columns.ts";

export interface CatalogueTables {
  customers: {
    account_id: string;
    id: string;
    external_id: string | null;
    name: string;
    country_key: string;
    is_person: boolean;
    send_method: "email" | "einvoice";
    street: string | null;
    zip_code: string | null;
    city: string | null;
    phone: string | null;
    email: string | null;
    webpage: string | null;
    att_person: string | null;
    vat_number: string | null;
    se_number: string | null;
    p_number: string | null;
    ean_number: string | null;
    use_cvr: boolean;
    company_type_key: string | null;
    preferred_invoice_language_key: string | null;
    preferred_invoice_currency_key: string | null;
    external_reference: string | null;
    payment_condition_type: string | null;
    payment_condition_number_of_days: number | null;
    invoice_mail_out_option_key: string | null;
    payment_mean: string | null;
    active: Generated<boolean>;
    document: string;
    updated_at: Stamped;
    buyer_reference: string | null;
    order_reference: string | null;
    hours_specification: boolean | null;
    created_by: string | null;
    reminders: Generated<boolean>;
    einvoice_address: string | null;
    einvoice_format: "peppol-bis-3" | "oioubl-2.1" | null;
    einvoice_by_mail: Generated<boolean>;
    accounting_cost: string | null;
  };
  products: {
    account_id: string;
    id: string;
    external_id: string | null;
    product_number: string | null;
    name: string;
    account_number: number;
    unit: string;
    default_price: bigint;
    quantity: bigint;
    comments: string | null;
    external_reference: string | null;
    request_hash: Buffer | null;
    document: string;
    updated_at: Stamped;
    prices: Json<readonly StoredPrice[]>;
    active: Generated<boolean>;
    names_account: boolean;
    default_recognition_method: "value" | "hours" | "progress" | "milestone" | "on_issue" | null;
    default_months: number | null;
  };
}

/** A price in a currency other than that of the books; the amount is an integer of 1/10000 as text. */
export interface StoredPrice {
  readonly currency: string;
  readonly amount: string;
}
