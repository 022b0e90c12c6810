/** Customers as contacts of Dinero, under our own ids. */
import type { DocumentCustomer } from "../../../domain/sales/document.ts";
import type { LedgerCustomer, PutOutcome } from "../../connected.ts";
import type { CallOptions } from "../../outcome.ts";
import type { DineroAnswer, DineroApi, DineroRequest } from "./api.ts";
import { isAbsent, isDeleted, isDuplicate, rejectedFor } from "./refusals.ts";

/** Dinero's languages by the first letters of a language tag; other languages are left to Dinero's default. */
const LANGUAGES: Readonly<Record<string, string>> = {
  da: "da",
  en: "en",
  de: "de",
  sv: "sv",
  no: "no",
  nb: "no",
  nn: "no",
};

const request = (
  method: DineroRequest["method"],
  verb: string,
  guid: string,
  body?: unknown,
): DineroRequest => {
  const path = verb.replace("{guid}", guid);
  return { verb, method, version: "v1", path, ...(body !== undefined && { body }) };
};

/** Replaces the contact, or creates it; a deleted contact is restored when the customer is active. */
export async function putContact(
  api: DineroApi,
  customer: LedgerCustomer,
  options: CallOptions,
): Promise<PutOutcome> {
  const guid = customer.ledger_id ?? customer.guid;
  if (!customer.active) return removeContact(api, guid, options);
  const body = contactBody(customer);
  const replace = () => api(request("PUT", "contacts/{guid}", guid, body), options);
  let answer = await replace();
  if (answer.state === "refused" && isDeleted(answer.refusal)) {
    answer = await restoreAnd(api, guid, replace, options);
  } else if (answer.state === "refused" && isAbsent(answer.refusal)) {
    answer = await api(request("POST", "contacts", guid, { ...body, ContactGuid: guid }), options);
    if (answer.state === "refused" && isDuplicate(answer.refusal)) {
      answer = await restoreAnd(api, guid, replace, options);
    }
  }
  return stored(answer, guid);
}

async function restoreAnd(
  api: DineroApi,
  guid: string,
  replace: () => Promise<DineroAnswer>,
  options: CallOptions,
): Promise<DineroAnswer> {
  const restored = await api(request("POST", "contacts/{guid}/restore", guid), options);
  // Dinero refuses to restore a contact that is not deleted, which is just as good.
  return restored.state === "done" || restored.state === "refused" ? replace() : restored;
}

async function removeContact(
  api: DineroApi,
  guid: string,
  options: CallOptions,
): Promise<PutOutcome> {
  const answer = await api(request("DELETE", "contacts/{guid}", guid), options);
  return answer.state === "refused" && isAbsent(answer.refusal)
    ? { state: "stored", ledger_id: guid }
    : stored(answer, guid);
}

function stored(answer: DineroAnswer, ledger_id: string): PutOutcome {
  if (answer.state === "done") return { state: "stored", ledger_id };
  return answer.state === "refused" ? rejectedFor(answer.refusal) : answer;
}

/** Creates the contact of a document from its data; an existing contact stays as it is. */
export async function ensureContact(
  api: DineroApi,
  customer: DocumentCustomer,
  options: CallOptions,
): Promise<DineroAnswer> {
  const body = contactBody({
    ...customer,
    country_key: customer.country_key ?? "DK",
    webpage: null,
    use_cvr: false,
    company_type_key: null,
    preferred_invoice_language_key: null,
    preferred_invoice_currency_key: null,
    payment_condition_type: null,
    payment_condition_number_of_days: null,
  });
  const answer = await api(
    request("POST", "contacts", customer.id, { ...body, ContactGuid: customer.id }),
    options,
  );
  return answer.state === "refused" && isDuplicate(answer.refusal)
    ? { state: "done", value: undefined, date: null }
    : answer;
}

/** Returns the body for a contact. Every field is sent each time, because Dinero empties missing fields. */
function contactBody(customer: Omit<LedgerCustomer, "guid" | "ledger_id" | "active">) {
  const ofBusiness = (value: string | null) => (customer.is_person ? null : value);
  const is_cash = customer.payment_condition_type === "NettoCash";
  const [language = ""] = customer.preferred_invoice_language_key?.split("-") ?? [];
  return {
    Name: customer.name,
    CountryKey: customer.country_key,
    IsPerson: customer.is_person,
    IsMember: false,
    MemberNumber: null,
    UseCvr: customer.use_cvr,
    ExternalReference: customer.external_reference?.slice(0, 128) ?? null,
    Street: customer.street,
    ZipCode: customer.zip_code,
    City: customer.city,
    Phone: customer.phone,
    Email: customer.email,
    Webpage: customer.webpage,
    AttPerson: ofBusiness(customer.att_person),
    VatNumber: ofBusiness(customer.vat_number),
    EanNumber: ofBusiness(customer.ean_number),
    SENumber: ofBusiness(customer.se_number),
    PNumber: ofBusiness(customer.p_number),
    CompanyTypeKey: ofBusiness(customer.company_type_key),
    PaymentConditionType: customer.payment_condition_type,
    PaymentConditionNumberOfDays: is_cash ? null : customer.payment_condition_number_of_days,
    InvoiceMailOutOptionKey: ofBusiness(customer.invoice_mail_out_option_key),
    PreferredInvoiceLanguageKey: LANGUAGES[language] ?? null,
    PreferredInvoiceCurrencyKey: customer.preferred_invoice_currency_key,
  };
}
