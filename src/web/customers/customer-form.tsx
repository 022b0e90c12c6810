/** The customer form: name, address and billing. Fields that other programs store are not sent and stay unchanged. */
import { invalidField } from "../../domain/base/problem.ts";
import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import type { CustomerUpdate } from "../../features/catalogue/customers/schemas.ts";
import { Form, Submit } from "../frame/form.tsx";
import type { PageAnswer, PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS } from "../frame/submitted.ts";
import { CheckedField } from "../parts/checked-entry.tsx";
import { countriesIn } from "../parts/countries.ts";
import { FormFaults } from "../parts/entry.tsx";
import { fieldsOf, RareFields, type TypedFields } from "../parts/fields.tsx";
import { numberFrom } from "../parts/number.ts";
import { AddressField, HIDDEN } from "./address-entry.tsx";

/** Texts that are sent as typed, and as null where they are empty. */
const TEXTS = [
  "vat_number",
  "att_person",
  "email",
  "phone",
  "webpage",
  "street",
  "zip_code",
  "city",
  "ean_number",
  "einvoice_address",
  "einvoice_format",
  "accounting_cost",
  "payment_condition_type",
  "preferred_invoice_language_key",
  "buyer_reference",
  "order_reference",
] as const;

export const FIELDS = [
  ...TEXTS,
  "name",
  "is_person",
  "country_key",
  "send_method",
  "payment_condition_number_of_days",
  "preferred_invoice_currency_key",
  "hours_specification",
  "reminders",
  "einvoice_by_mail",
];

export const NEW_CUSTOMER: TypedFields = { country_key: "DK", send_method: "email" };

/** Returns the values of the form's fields for a stored customer. */
export function typedOf(customer: CustomerRow): TypedFields {
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, customer[name] ?? ""])),
    name: customer.name,
    is_person: customer.is_person ? "true" : "",
    country_key: customer.country_key,
    send_method: customer.send_method,
    payment_condition_number_of_days: String(customer.payment_condition_number_of_days ?? ""),
    preferred_invoice_currency_key: customer.preferred_invoice_currency_key ?? "",
    hours_specification: customer.hours_specification === true ? "true" : "",
    reminders: customer.reminders ? "" : "false",
    einvoice_by_mail: customer.einvoice_by_mail ? "true" : "",
  };
}

/** Returns the stored values that decide where e-invoices go and are no fields of the form. */
export function hiddenOf(customer: CustomerRow): TypedFields {
  return Object.fromEntries(HIDDEN.map((name) => [name, customer[name] ?? ""]));
}

/** Returns the values of the form, as the API takes them. */
export function sentBy({ form, reader }: PageRequest): Record<string, unknown> {
  const text = (name: string) => form[name]?.trim() || null;
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, text(name)])),
    name: text("name") ?? "",
    is_person: form.is_person === "true",
    country_key: text("country_key") ?? "",
    send_method: text("send_method") ?? "",
    payment_condition_number_of_days:
      numberFrom(reader.language, form.payment_condition_number_of_days) ?? null,
    preferred_invoice_currency_key: text("preferred_invoice_currency_key")?.toUpperCase() ?? null,
    hours_specification: form.hours_specification === "true" ? true : null,
    reminders: form.reminders !== "false",
    einvoice_by_mail: form.einvoice_by_mail === "true",
  };
}

/** Throws VALIDATION_FAILED on `ean_number` where an e-invoice has no address, EAN number or VAT number. */
export function requireAddressed(
  customer: Pick<CustomerUpdate, "send_method" | "ean_number" | "vat_number" | "einvoice_address">,
): void {
  const { send_method, ean_number, vat_number, einvoice_address } = customer;
  if (send_method !== "einvoice" || (ean_number ?? vat_number ?? einvoice_address) != null) return;
  const message = "An e-invoice requires an EAN number, a CVR number or an e-invoice address.";
  throw invalidField("ean_number", "required", message);
}

/** Returns the form that posts to `action`. `typed` has the values of the fields; `currency` is the account's own. */
export function customerForm(
  request: PageRequest,
  shown: { readonly action: string; readonly title: string; readonly currency: string },
  typed: TypedFields,
  faults: Faults = NO_FAULTS,
): PageAnswer {
  const { action, title, currency } = shown;
  const { words } = request.reader;
  const content = (
    <div class="card pad wide-form">
      <FormFaults faults={faults} words={words.see_fields} />
      <Form action={action} csrf={request.csrf(action)}>
        <div class="form-columns">
          <Who typed={typed} faults={faults} />
          <div class="fields">
            <Where typed={typed} faults={faults} />
            <How typed={typed} faults={faults} looks_up={request.cx.receivers !== null} />
          </div>
          <Rare typed={typed} faults={faults} currency={currency} />
        </div>
        <Submit text={words.save} />
      </Form>
    </div>
  );
  return { title, content };
}

interface Shown {
  readonly typed: TypedFields;
  readonly faults: Faults;
}

function Who({ typed, faults }: Shown) {
  const words = useReader().words.customers;
  const { entry, select } = fieldsOf(typed, faults);
  return (
    <fieldset class="fields">
      <legend>{words.who}</legend>
      {entry("name", words.name)}
      {select("is_person", words.kind, [
        ["", words.business],
        ["true", words.person],
      ])}
      <CheckedField
        name="vat_number"
        label={words.vat_number}
        value={typed.vat_number ?? ""}
        check="vat_number"
        country={{ field: "country_key", otherwise: typed.country_key || "DK" }}
        hint={words.vat_hint}
        faults={faults}
      />
      {entry("att_person", words.att_person)}
      {entry("email", words.email, { type: "email", most: 254 })}
      {entry("phone", words.phone, { type: "tel" })}
    </fieldset>
  );
}

function Where({ typed, faults }: Shown) {
  const { words: all, language } = useReader();
  const words = all.customers;
  const { entry, select } = fieldsOf(typed, faults);
  return (
    <fieldset class="fields">
      <legend>{words.where}</legend>
      {entry("street", words.street)}
      {entry("zip_code", words.zip_code)}
      {entry("city", words.city)}
      {select("country_key", words.country, countriesIn(language))}
    </fieldset>
  );
}

function How({ typed, faults, looks_up }: Shown & { readonly looks_up: boolean }) {
  const words = useReader().words.customers;
  const { select } = fieldsOf(typed, faults);
  return (
    <fieldset class="fields">
      <legend>{words.how}</legend>
      {select("send_method", words.send_method, [
        ["email", words.by_email],
        ["einvoice", words.by_einvoice],
      ])}
      <CheckedField
        name="ean_number"
        label={words.ean_number}
        value={typed.ean_number ?? ""}
        check="location_number"
        hint={words.ean_hint}
        faults={faults}
      />
      <AddressField typed={typed} faults={faults} looks_up={looks_up} />
      {select("einvoice_format", words.einvoice_format, [
        ["", words.einvoice_format_own],
        ["oioubl-2.1", words.einvoice_format_oioubl],
      ])}
    </fieldset>
  );
}

/** The fields of customers that differ from what the account usually does. */
const RARE = [
  "payment_condition_type",
  "payment_condition_number_of_days",
  "preferred_invoice_language_key",
  "preferred_invoice_currency_key",
  "buyer_reference",
  "order_reference",
  "accounting_cost",
  "hours_specification",
  "einvoice_by_mail",
  "reminders",
  "webpage",
];

function Rare({ typed, faults, currency }: Shown & { readonly currency: string }) {
  const { customers: words, references } = useReader().words;
  const { entry, select } = fieldsOf(typed, faults);
  return (
    <RareFields names={RARE} typed={typed} faults={faults}>
      {select("payment_condition_type", words.terms, [
        ["", words.terms_own],
        ["Netto", words.terms_net],
        ["CurrentMonthOut", words.terms_month],
        ["NettoCash", words.terms_cash],
      ])}
      {entry("payment_condition_number_of_days", words.days, { hint: words.days_hint })}
      {select("preferred_invoice_language_key", words.language, [
        ["", words.language_own],
        ["da-DK", words.danish],
        ["en-GB", words.english],
      ])}
      {entry("preferred_invoice_currency_key", words.currency, {
        hint: words.currency_hint(currency),
        most: 3,
      })}
      {entry("buyer_reference", references.buyer_reference, { hint: words.printed_hint })}
      {entry("order_reference", references.order_reference, { hint: words.printed_hint })}
      {entry("accounting_cost", references.accounting_cost, { hint: words.accounting_cost_hint })}
      {select("hours_specification", words.hours, [
        ["", words.hours_no],
        ["true", words.hours_yes],
      ])}
      {select("einvoice_by_mail", words.einvoice_by_mail, [
        ["", words.einvoice_by_mail_no],
        ["true", words.einvoice_by_mail_yes],
      ])}
      {select("reminders", words.reminders, [
        ["", words.reminders_yes],
        ["false", words.reminders_no],
      ])}
      {entry("webpage", words.webpage)}
    </RareFields>
  );
}
