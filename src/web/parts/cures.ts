/**
 * Where a warning about a document, or the refusal of its issue, is cured: one table by code for each. A page that only admins open
 * is offered to admins alone.
 */
import type { Problem } from "../../domain/base/problem.ts";
import { buyerReferences } from "../../domain/sales/printed.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import type { issueRefusals } from "../../features/ledger/booking/refusals.ts";
import type { enCures } from "./cure-words.ts";

/** A link to the page or the field where something is put right. `name` chooses its text. */
export interface Cure {
  readonly href: string;
  readonly name: keyof typeof enCures;
}

/** The document that is about to be issued. */
export interface CuredDocument {
  /** The address of the draft, or of the retainer's period; empty for the page that shows the cure. */
  readonly page: string;
  /** The id of the element with the document's day. */
  readonly day_id: string;
  readonly customer_id: string;
  /** The ids of a draft's lines, in the order of the document; null for a period, whose page has no fields. */
  readonly line_ids: readonly string[] | null;
  readonly is_admin: boolean;
}

/** The customer of a document, and the address of the document where its page is a draft. */
type CuredCustomer = Pick<CuredDocument, "customer_id" | "is_admin"> & { readonly page?: string };

type Finds = (document: CuredDocument, field: string) => Cure | null;

const OF_WARNING: Readonly<Record<Warning["code"], Finds>> = {
  SELLER_INCOMPLETE: companyOf,
  BUYER_NUMBER_MISSING: customerOf,
  BUYER_NUMBER_DOUBTFUL: customerOf,
  CONSUMER_IN_EU: customerOf,
  LINE_WITHOUT_HOURS: lineOf,
  RATE_OLD: ratesOf,
  DATE_FAR: dateOf,
  DATE_BEFORE_LAST_NUMBER: dateOf,
  NOBODY_ASSIGNED: lineOf,
  EINVOICE_INCOMPLETE: cureOfEinvoice,
};

const OF_REFUSAL: Readonly<Record<(typeof issueRefusals)[number], Finds>> = {
  INVOICE_ALREADY_ISSUED: ({ page }) => ({ href: page, name: "invoice" }),
  INVOICE_ISSUE_IN_PROGRESS: forAdmins("/ledger/queue", "queue"),
  INVOICE_EMPTY: ({ page }) => ({ href: `${page}#lines`, name: "lines" }),
  CUSTOMER_INACTIVE: ({ is_admin, customer_id }) =>
    is_admin ? { href: `/customers/${customer_id}`, name: "inactive" } : null,
  PERIOD_LOCKED: dateOf,
  LEDGER_MOVING: connectionOf,
  LEDGER_NOT_CONNECTED: connectionOf,
  EXCHANGE_RATE_MISSING: ratesOf,
  INVOICE_INCOMPLETE: (document, field) =>
    field.startsWith("seller") ? companyOf(document) : customerOf(document, field),
  EINVOICE_INCOMPLETE: cureOfEinvoice,
  LEDGER_MAPPING_MISSING: connectionOf,
  LEDGER_REJECTED: connectionOf,
  LEDGER_UNAVAILABLE: connectionOf,
};

/** The page of a draft has fields for the references of the buyer. Elsewhere they are those of the customer. */
function cureOfEinvoice(document: CuredDocument, field: string): Cure | null {
  if (/^(seller|configuration)/.test(field)) return companyOf(document);
  if (field.startsWith("lines")) return { href: `${document.page}#lines`, name: "lines" };
  const { page } = document;
  const is_reference = buyerReferences.some((reference) => reference === field);
  if (is_reference && isDraft(page)) return { href: `${page}#${field}`, name: "reference" };
  return customerOf(document, field);
}

/** Returns the cure of a warning; null where the person cannot open its page, and for a code that is none of a warning. */
export function cureOfWarning(
  { code, field = "" }: { readonly code: string; readonly field?: string | undefined },
  document: CuredDocument,
): Cure | null {
  return Object.hasOwn(OF_WARNING, code)
    ? OF_WARNING[code as Warning["code"]](document, field)
    : null;
}

/** Returns the cure of the refusal of an issue; null for another refusal, and where the person cannot open its page. */
export function cureOfRefusal(
  { code, extras }: Pick<Problem, "code" | "extras">,
  document: CuredDocument,
): Cure | null {
  const missing = extras.details?.missing;
  const field = Array.isArray(missing) ? String(missing[0]) : "";
  return Object.hasOwn(OF_REFUSAL, code)
    ? OF_REFUSAL[code as keyof typeof OF_REFUSAL](document, field)
    : null;
}

/** Returns the cure of a document that cannot be sent; null where the person cannot change the customer. */
export function cureOfUnsent(
  unsent: "no_address" | "einvoice_not_configured",
  document: CuredCustomer,
): Cure | null {
  return customerOf(document, unsent === "no_address" ? "email" : "send_method");
}

function forAdmins(
  href: string,
  name: Cure["name"],
): (of: Pick<CuredDocument, "is_admin">) => Cure | null {
  return ({ is_admin }) => (is_admin ? { href, name } : null);
}

function companyOf(document: Pick<CuredDocument, "is_admin">): Cure | null {
  return forAdmins("/settings/company", "company")(document);
}

function connectionOf(document: Pick<CuredDocument, "is_admin">): Cure | null {
  return forAdmins("/ledger/connection", "connection")(document);
}

/** The rates are listed by day: a document needs one of its own day or of the days before. */
function ratesOf(document: Pick<CuredDocument, "is_admin">): Cure | null {
  return forAdmins("/settings/vat#rates", "rates")(document);
}

/** The form of the customer leads back to a draft. */
function customerOf({ is_admin, customer_id, page }: CuredCustomer, field: string): Cure | null {
  if (!is_admin) return null;
  const back = page !== undefined && isDraft(page) ? `?${new URLSearchParams({ back: page })}` : "";
  const id = field.replace(/^customer\./, "");
  return { href: `/customers/${customer_id}/edit${back}#${id}`, name: "customer" };
}

function isDraft(page: string): boolean {
  return /^\/invoices\/[^/]+$/.test(page);
}

/** A warning about several lines names the first of them. */
function lineOf({ page, line_ids }: CuredDocument, field: string): Cure {
  const place = /^lines\[(\d+)\]/.exec(field)?.[1];
  const id = place === undefined ? undefined : line_ids?.[Number.parseInt(place, 10)];
  return id === undefined
    ? { href: `${page}#lines`, name: "lines" }
    : { href: `${page}#product-${id}`, name: "line" };
}

function dateOf({ page, day_id }: CuredDocument): Cure {
  return { href: `${page}#${day_id}`, name: "date" };
}
