/** Says in a few words how the customer of a draft is billed: VAT, address, payment terms and references. */
import { termsOf } from "../../domain/sales/payment.ts";
import { determineVat, vatRate } from "../../domain/sales/vat.ts";
import { vatNumberWithCountry } from "../../domain/sales/vat-prefix.ts";
import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import { formatCountry, formatPercent } from "../../features/documents/printing/format.ts";
import { type Configuration, vatSettings } from "../../features/settings/configuration/queries.ts";
import type { PageReader } from "../frame/reader.ts";
import type { Billing } from "./draft-stored.ts";

/** Returns how the customer is billed. The VAT is that of an ordinary domestic service: a line's product may have another. */
export function billingOf(
  customer: CustomerRow,
  configuration: Configuration,
  { language, words }: Pick<PageReader, "language" | "words">,
): Billing {
  const settings = vatSettings(configuration);
  const vat_code = determineVat(null, customer, settings);
  const country = formatCountry(customer.country_key, language);
  const due = termsOf(customer, {
    type: configuration.payment_type,
    days: configuration.payment_days,
  });
  return {
    vat: words.billed_as.vat(
      country,
      vat_code,
      formatPercent(vatRate(vat_code, settings), language),
    ),
    vat_number: vatNumberWithCountry(customer.vat_number, customer.country_key) ?? null,
    address: addressOf(customer, words),
    terms: words.customers.terms_of(due.type, due.days),
    due,
    references: {
      buyer_reference: customer.buyer_reference ?? customer.external_reference ?? "",
      order_reference: customer.order_reference ?? "",
      accounting_cost: customer.accounting_cost ?? "",
    },
  };
}

function addressOf(
  { send_method, email, einvoice_address, ean_number, vat_number }: CustomerRow,
  { customers: words }: PageReader["words"],
): Billing["address"] {
  const is_mail = send_method === "email";
  const to = is_mail ? email : (einvoice_address ?? ean_number ?? vat_number);
  if (to === null) return { text: is_mail ? words.no_address : words.no_number, is_missing: true };
  return { text: is_mail ? to : `${words.by_einvoice}: ${to}`, is_missing: false };
}
