/** Warns of problems before a document is sent, without refusing it. Pure, with at most one warning of each code. */
import { addYears, type CalendarDate, daysBetween } from "../base/calendar.ts";
import { ibanFrom } from "../base/iban.ts";
import { hasBankAccount, missingOfSeller, sellerNumberFault } from "./completeness.ts";
import type { DocumentCustomer, DocumentSnapshot } from "./document.ts";
import type { Line } from "./line.ts";
import { accountAtHome } from "./sales-account.ts";
import { needsNumber, type VatSettings } from "./vat.ts";
import type { VatCode } from "./vat-code.ts";
import { type VatNumberFault, vatNumberFault } from "./vat-number.ts";

/** New codes may be added; none is removed. */
export const warningCodes = [
  "SELLER_INCOMPLETE",
  "BUYER_NUMBER_MISSING",
  "BUYER_NUMBER_DOUBTFUL",
  "CONSUMER_IN_EU",
  "LINE_WITHOUT_HOURS",
  "RATE_OLD",
  "DATE_FAR",
  "DATE_BEFORE_LAST_NUMBER",
  "NOBODY_ASSIGNED",
  "EINVOICE_INCOMPLETE",
] as const;
type WarningCode = (typeof warningCodes)[number];

export interface Warning {
  readonly code: WarningCode;
  /** A sentence: the fact and its consequence. */
  readonly message: string;
  /** The field to correct, of the document, or of the seller or customer, such as `customer.vat_number`. */
  readonly field?: string;
}

export type WarnedLine = Pick<
  Line,
  "id" | "recognition_method" | "assignees" | "position" | "account_number" | "domestic_account"
>;

export interface WarningFacts {
  readonly document: DocumentSnapshot;
  readonly is_issued: boolean;
  /** The lines of an invoice; a credit note has none of its own. */
  readonly lines: readonly WarnedLine[];
  readonly vat: VatSettings;
  /** VAT codes by revenue account; null without one. Empty for an issued document: codes may have changed since. */
  readonly vat_codes: ReadonlyMap<number, VatCode | null>;
  /** The dates with which the document's date is compared; null for a document without a date, and for an issued document. */
  readonly dates: DateFacts | null;
}

export interface DateFacts {
  readonly today: CalendarDate;
  /** The date of the last number in the same number series; null before the first. */
  readonly last_number_date: CalendarDate | null;
}

/** Returns the warnings of an invoice or credit note, in the order of their codes. */
export function warningsOfDocument(facts: WarningFacts): Warning[] {
  // A credit note takes these parts from its invoice, so they cannot differ.
  if (facts.document.kind === "credit_note") {
    return [...sellerWarning(facts), ...dateWarnings(facts)];
  }
  return [
    ...sellerWarning(facts),
    ...buyerWarning(facts),
    ...hoursWarning(facts),
    ...rateWarning(facts),
    ...dateWarnings(facts),
    ...assigneeWarning(facts),
  ];
}

const NOUNS: Readonly<Record<string, string>> = {
  "seller.name": "name",
  "seller.street": "address",
  "seller.city": "address",
  "seller.vat_number": "VAT number",
};

function sellerWarning({ document, is_issued, vat }: WarningFacts): Warning[] {
  const is_invoice = document.kind === "invoice";
  const { seller } = document;
  const missing = missingOfSeller(seller, vat.domestic_country);
  const nouns = new Set(missing.map((field) => NOUNS[field] ?? field));
  if (is_invoice && !hasBankAccount(seller, document.currency)) nouns.add("bank account");
  const doubts = doubtsOfSeller(document, vat.domestic_country);
  const [doubt, ...others] = doubts;
  const messages = doubts.map(({ message }) => message);
  if (nouns.size === 0) {
    if (doubt === undefined) return [];
    const field = others.length === 0 ? doubt.field : "seller";
    return [{ code: "SELLER_INCOMPLETE", message: messages.join(" "), field }];
  }
  const noun = is_invoice ? "invoice" : "credit note";
  const shows = is_issued ? "shows" : "will show";
  const what = listed([...nouns].map((one) => `no ${one}`));
  const remedy = is_invoice
    ? is_issued
      ? ""
      : `: set ${nouns.size === 1 ? "it" : "them"} in the configuration`
    : ", as its invoice";
  const gaps = `The ${noun} ${shows} ${what} of the seller${remedy}.`;
  return [{ code: "SELLER_INCOMPLETE", message: [gaps, ...messages].join(" "), field: "seller" }];
}

/** Returns what is doubtful in the numbers of the seller. A credit note prints no IBAN. */
function doubtsOfSeller(
  { kind, seller }: DocumentSnapshot,
  domestic_country: string,
): Required<Omit<Warning, "code">>[] {
  const fault = sellerNumberFault(seller, domestic_country);
  const iban = (seller?.iban ?? "").trim();
  const has_wrong_iban = kind === "invoice" && iban !== "" && ibanFrom(iban) === undefined;
  return [
    ...(fault === "check_digit" || fault === "country"
      ? [{ field: "seller.vat_number", message: `The seller's VAT number ${doubtOf(fault)}.` }]
      : []),
    ...(has_wrong_iban
      ? [{ field: "seller.iban", message: "The seller's IBAN has a wrong length or check digits." }]
      : []),
  ];
}

/** Warns of an invalid number, or when the buyer would account for the VAT if its number showed that it is a business. */
function buyerWarning({ document, lines, vat, vat_codes }: WarningFacts): Warning[] {
  const customer = { ...document.customer, country_key: document.customer.country_key ?? "" };
  const taxed = new Set(
    document.lines.flatMap((line) => (line.vat_code === "DK25" ? [line.line_id] : [])),
  );
  const is_needed = lines.some(
    (line) =>
      taxed.has(line.id) && needsNumber(vat_codes.get(accountAtHome(line)) ?? null, customer, vat),
  );
  if (hasUncertainNumber(customer))
    return [uncertainNumber(customer, "customer.vat_number", is_needed)];
  if (!is_needed) return [];
  const is_abroad = customer.country_key !== vat.domestic_country;
  if (customer.is_person && is_abroad) {
    const message =
      "The customer is a private person in another country of the EU: domestic VAT is charged, and the One Stop Shop is not supported.";
    return [{ code: "CONSUMER_IN_EU", message, field: "customer.is_person" }];
  }
  const is_named = !customer.is_person && (customer.vat_number ?? "").trim() !== "";
  if (is_named) return [];
  const message = customer.is_person
    ? "Reverse charge is for businesses, and the customer is a private person: domestic VAT is charged."
    : "The customer has no VAT number: domestic VAT is charged.";
  return [{ code: "BUYER_NUMBER_MISSING", message, field: "customer.vat_number" }];
}

type Numbered = Pick<DocumentCustomer, "vat_number"> & { readonly country_key: string };

/** Returns the warning of the customer resource itself; none when its number has no fault, or it has no number. */
export function warningsOfCustomer(customer: Numbered): Warning[] {
  return hasUncertainNumber(customer) ? [uncertainNumber(customer, "vat_number", true)] : [];
}

/** Returns the warnings for the number under which a sale to the EU is listed; none when it has no fault. */
export function warningsOfListedNumber(customer: Numbered): Warning[] {
  if (hasUncertainNumber(customer)) return [uncertainNumber(customer, "vat_number", false)];
  if (vatNumberFault(customer.vat_number, customer.country_key) === null) return [];
  const message = "The list needs the customer's VAT number, and the documents have none.";
  return [{ code: "BUYER_NUMBER_MISSING", message, field: "vat_number" }];
}

function hasUncertainNumber({ vat_number, country_key }: Numbered): boolean {
  const fault = vatNumberFault(vat_number, country_key);
  return fault !== null && fault !== "absent";
}

function uncertainNumber(
  { vat_number, country_key }: Numbered,
  field: string,
  is_needed: boolean,
): Warning {
  const doubt = doubtOf(vatNumberFault(vat_number, country_key) ?? "form");
  const consequence = is_needed ? ", so that domestic VAT is charged" : "";
  const message = `The customer's VAT number ${doubt}${consequence}.`;
  return { code: "BUYER_NUMBER_DOUBTFUL", message, field };
}

function doubtOf(fault: VatNumberFault): string {
  if (fault === "country") return "belongs to another country";
  return fault === "check_digit"
    ? "has a wrong check digit"
    : "does not have the format of its country";
}

function hoursWarning({ document, lines }: WarningFacts): Warning[] {
  const unworked = new Set(
    document.lines.filter((line) => line.rows.length === 0).map((line) => line.line_id),
  );
  const places = placesOf(
    lines,
    (line) => line.recognition_method === "hours" && unworked.has(line.id),
  );
  if (places.length === 0) return [];
  const [have, are] = places.length === 1 ? ["has", "is"] : ["have", "are"];
  const message = `${linesNamed(places)} ${have} no hours and ${are} not printed.`;
  return [{ code: "LINE_WITHOUT_HOURS", message, field: `lines[${places[0]}]` }];
}

const OLD_RATE_DAYS = 7;

function rateWarning({ document: { rate_date, issue_date, currency } }: WarningFacts): Warning[] {
  if (rate_date === undefined) return [];
  // `daysBetween` counts both days.
  const days = daysBetween(rate_date as CalendarDate, issue_date as CalendarDate) - 1;
  if (days <= OLD_RATE_DAYS) return [];
  const message = `The exchange rate of ${currency} is of ${rate_date}, ${days} days before the invoice.`;
  return [{ code: "RATE_OLD", message }];
}

/** Returns the warning of an invoice that lacks these fields to be sent as an e-invoice; none where it lacks nothing. */
export function warningsOfEinvoice(missing: readonly string[]): Warning[] {
  const [field, ...others] = new Set(missing);
  if (field === undefined) return [];
  const message = `The invoice cannot be sent as an e-invoice: it lacks ${listed([field, ...others])}.`;
  return [{ code: "EINVOICE_INCOMPLETE", message, field }];
}

function dateWarnings({ document, dates }: WarningFacts): Warning[] {
  if (dates === null) return [];
  const is_invoice = document.kind === "invoice";
  const noun = is_invoice ? "invoice" : "credit note";
  const field = is_invoice ? "issue_date" : "credit_date";
  const date = document.issue_date as CalendarDate;
  const { today, last_number_date: last } = dates;
  const warnings: Warning[] = [];
  if (date > addYears(today, 1) || date < addYears(today, -1)) {
    const message = `The ${noun} is dated ${date}, more than a year from today.`;
    warnings.push({ code: "DATE_FAR", message, field });
  }
  if (last !== null && date < last) {
    const message = `The ${noun} is dated ${date}, and the last ${noun} has the date ${last}: numbers and dates will not be in the same order.`;
    warnings.push({ code: "DATE_BEFORE_LAST_NUMBER", message, field });
  }
  return warnings;
}

/** Revenue from work belongs to the users who did the work; all other revenue belongs to the assignees. */
function assigneeWarning({ lines }: WarningFacts): Warning[] {
  const places = placesOf(lines, ({ recognition_method, assignees }) => {
    const is_measured = recognition_method === "hours" || recognition_method === "progress";
    return !is_measured && assignees.length === 0;
  });
  if (places.length === 0) return [];
  const [have, earn] = places.length === 1 ? ["has", "its"] : ["have", "their"];
  const message = `${linesNamed(places)} ${have} no assignee: ${earn} revenue will be unassigned.`;
  return [{ code: "NOBODY_ASSIGNED", message, field: `lines[${places[0]}].assignees` }];
}

/** Returns the indexes of lines, from 0, in the order in which the document shows them. */
function placesOf<Placed extends { readonly position: number }>(
  lines: readonly Placed[],
  isMeant: (line: Placed) => boolean,
): number[] {
  return [...lines]
    .sort((a, b) => a.position - b.position)
    .flatMap((line, place) => (isMeant(line) ? [place] : []));
}

const MOST_NAMED = 5;

function linesNamed(places: readonly number[]): string {
  if (places.length === 1) return `Line ${(places[0] ?? 0) + 1}`;
  const numbers = places.slice(0, MOST_NAMED).map((place) => String(place + 1));
  const others = places.length - numbers.length;
  return `Lines ${listed(others > 0 ? [...numbers, `${others} more`] : numbers)}`;
}

/** Joins words as a list: `a, b and c`. */
function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
