/**
 * Whether a document could leave as an e-invoice now: what it lacks, and what a user should check before. A warning stops nothing,
 * because a look-up of the receiver is a hint, and an account is proven by its bank alone.
 */
import { ibanFrom } from "../base/iban.ts";
import { BLANK_CUSTOMER } from "../sales/blank-customer.ts";
import type { DocumentCustomer, DocumentSnapshot, Seller } from "../sales/document.ts";
import type { EinvoiceFormat } from "./einvoice-format.ts";
import type { ElectronicInvoice } from "./electronic-invoice.ts";
import type { Sentences } from "./electronic-rule.ts";
import { type EinvoiceTerms, missingOf } from "./missing.ts";
import { addressFrom, addressText, buyerOf, sellerOf } from "./parties-from-snapshot.ts";

/** What is stored of the receiver. `unknown` with a moment: the register did not answer. */
export interface StoredLookup {
  readonly registered: "yes" | "no" | "unknown";
  readonly formats: readonly string[];
  /** ISO 8601; null where it was not looked up, or too long ago. */
  readonly looked_up_at: string | null;
}

/** New codes may be added; none is removed. */
export const readinessWarningCodes = [
  "EINVOICE_NOT_CONNECTED",
  "RECEIVER_NOT_REGISTERED",
  "RECEIVER_NOT_LOOKED_UP",
  "IBAN_INVALID",
  "PAYMENT_ACCOUNT_MISSING",
] as const;

interface ReadinessWarning {
  readonly code: (typeof readinessWarningCodes)[number];
  readonly message: Sentences;
  /** Ours, as in `missing`; absent where no field cures it. */
  readonly field?: string;
}

export interface ReadinessFacts {
  readonly invoice: ElectronicInvoice;
  readonly format: EinvoiceFormat;
  readonly terms: EinvoiceTerms;
  /** Whether the installation asks a register of receivers. */
  readonly looks_up: boolean;
  readonly lookup: StoredLookup;
}

/** Returns the broken rules in the order of the rules, and the warnings in the order of their codes. */
export function readinessOf(facts: ReadinessFacts) {
  const { invoice, format, terms } = facts;
  return { missing: missingOf(invoice, format, terms), warnings: warningsOf(facts) };
}

/** Returns what a customer alone decides: the rules that its fields, or those of the seller, break. */
export function readinessOfParties(facts: ReadinessFacts) {
  const { missing, warnings } = readinessOf(facts);
  return { missing: missing.filter(({ field }) => /^(seller|customer)\./.test(field)), warnings };
}

/** Returns the broken rules that the seller and the country of the account's VAT alone decide for any customer. */
export function missingOfSeller(seller: Seller | null, domestic_country: string) {
  const invoice = partiesAlone(seller, BLANK_CUSTOMER, null);
  const terms = { domestic_country, carried_formats: null };
  return missingOf(invoice, "peppol-bis-3", terms).filter(({ field }) =>
    field.startsWith("seller."),
  );
}

/** Returns the content of an e-invoice between two parties that states nothing else. */
export function partiesAlone(
  seller: Seller | null,
  customer: DocumentCustomer,
  receiver: string | null,
): ElectronicInvoice {
  const vat: DocumentSnapshot["vat"] = [];
  return {
    kind: "invoice",
    number: "1",
    document_id: "",
    issue_date: "",
    due_date: null,
    payment_terms: null,
    notes: [],
    language: "en",
    currency: "DKK",
    currency_digits: 2,
    functional: null,
    buyer_reference: null,
    order_reference: null,
    accounting_cost: null,
    preceding: null,
    period: null,
    delivery: null,
    supply_date: "",
    seller: sellerOf({ seller, vat }),
    buyer: buyerOf({ customer, vat }, addressFrom(receiver)),
    lines: [],
    vat: [],
    totals: { net: 0n, vat: 0n, gross: 0n },
    payment: null,
    attachments: [],
  };
}

function warningsOf(facts: ReadinessFacts): ReadinessWarning[] {
  return [...connectionWarning(facts), ...receiverWarning(facts), ...paymentWarnings(facts)];
}

/** Factur-X goes by mail, without a connection and to no address of a network. */
function connectionWarning({ format, terms }: ReadinessFacts): ReadinessWarning[] {
  if (format === "factur-x" || terms.carried_formats !== null) return [];
  const message = {
    en: "The account has no connection for e-invoices: the operator of the service makes it.",
    da: "Kontoen har ingen forbindelse til e-fakturaer: Den, der driver tjenesten, opretter den.",
  };
  return [{ code: "EINVOICE_NOT_CONNECTED", message }];
}

/** The register of Peppol knows receivers of BIS 3 alone. */
function receiverWarning(facts: ReadinessFacts): ReadinessWarning[] {
  const { invoice, format, looks_up, lookup } = facts;
  const { endpoint } = invoice.buyer;
  if (format !== "peppol-bis-3" || !looks_up || endpoint === null) return [];
  const field = "customer.einvoice_address";
  const address = addressText(endpoint);
  switch (lookup.registered) {
    case "yes":
      if (lookup.formats.includes(format)) return [];
      return [
        {
          code: "RECEIVER_NOT_REGISTERED",
          message: {
            en: `${address} is registered in Peppol, but not for invoices: ask the customer, or send a PDF by e-mail.`,
            da: `${address} er registreret i Peppol, men ikke til fakturaer: Spørg kunden, eller send en PDF med e-mail.`,
          },
          field,
        },
      ];
    case "no":
      return [
        {
          code: "RECEIVER_NOT_REGISTERED",
          message: {
            en: `${address} is not registered in Peppol: correct the address, or send a PDF by e-mail. A Danish business may take OIOUBL.`,
            da: `${address} er ikke registreret i Peppol: Ret adressen, eller send en PDF med e-mail. En dansk virksomhed kan måske modtage OIOUBL.`,
          },
          field,
        },
      ];
    case "unknown":
      return [
        {
          code: "RECEIVER_NOT_LOOKED_UP",
          message: {
            en: `It is not known whether ${address} is registered in Peppol: look it up on the customer.`,
            da: `Det vides ikke, om ${address} er registreret i Peppol: Slå det op på kunden.`,
          },
          field,
        },
      ];
  }
}

function paymentWarnings({ invoice }: ReadinessFacts): ReadinessWarning[] {
  const { kind, payment, totals } = invoice;
  if (kind !== "invoice" || totals.gross <= 0n) return [];
  if (payment === null) {
    return [
      {
        code: "PAYMENT_ACCOUNT_MISSING",
        message: {
          en: "The e-invoice does not say where to pay: set the seller's bank account in the configuration.",
          da: "E-fakturaen siger ikke, hvor der skal betales: Angiv sælgers bankkonto under indstillinger.",
        },
        field: "seller.iban",
      },
    ];
  }
  if (!("iban" in payment) || ibanFrom(payment.iban) !== undefined) return [];
  return [
    {
      code: "IBAN_INVALID",
      message: {
        en: "The seller's IBAN has a wrong length or check digits: correct it in the configuration.",
        da: "Sælgers IBAN har en forkert længde eller forkerte kontrolcifre: Ret det under indstillinger.",
      },
      field: "seller.iban",
    },
  ];
}
