/**
 * What an e-invoice lacks: the official rules that documents of ours can break, each with the field of ours that cures it. Tests prove
 * that they refuse what the official rules refuse, so a document that breaks none of them is valid.
 */
import { Problem } from "../base/problem.ts";
import type { EinvoiceFormat } from "./einvoice-format.ts";
import type { ElectronicInvoice } from "./electronic-invoice.ts";
import type { ElectronicRule, Sentences } from "./electronic-rule.ts";
import { BIS_RULES } from "./missing-bis.ts";
import { SELLER_COUNTRY } from "./missing-en16931.ts";
import { FACTUR_X_RULES } from "./missing-factur-x.ts";
import { OIOUBL_RULES } from "./missing-oioubl.ts";

/** A broken rule. */
interface MissingField {
  /** Ours: `seller.registration_number`, `customer.einvoice_address`, `buyer_reference`, `lines[2].description_override`. */
  readonly field: string;
  /** The official id, such as `PEPPOL-EN16931-R003`; `MB-…` where only this service refuses. */
  readonly rule: string;
  readonly message: Sentences;
}

const RULES = {
  "peppol-bis-3": BIS_RULES,
  "oioubl-2.1": OIOUBL_RULES,
  "factur-x": FACTUR_X_RULES,
} as const satisfies Record<EinvoiceFormat, readonly ElectronicRule[]>;

/** The country of the books of a seller who can send e-invoices. */
const DENMARK = "DK";

/** What the account adds to the rules of a document, which does not state it. */
export interface EinvoiceTerms {
  /** `vat.domestic_country`. */
  readonly domestic_country: string;
  /** The formats that the account's connection carries; null without one, and for a file that is not sent. */
  readonly carried_formats: readonly string[] | null;
}

const ANY_TERMS: EinvoiceTerms = { domestic_country: DENMARK, carried_formats: null };

/** Returns the broken rules of a document in a format, in the order of the rules. */
export function missingOf(
  invoice: ElectronicInvoice,
  format: EinvoiceFormat,
  { domestic_country, carried_formats }: EinvoiceTerms = ANY_TERMS,
): MissingField[] {
  const broken = RULES[format].flatMap(({ rule, message, broken }) =>
    broken(invoice).map((field) => ({ field, rule, message })),
  );
  const is_foreign = domestic_country !== DENMARK && SELLER_COUNTRY.broken(invoice).length === 0;
  return [
    ...(is_foreign ? [FOREIGN_VAT] : []),
    ...broken,
    ...(isCarried(format, carried_formats) ? [] : [NOT_CARRIED]),
  ];
}

/** Whether the format can leave; Factur-X goes by mail. */
function isCarried(format: EinvoiceFormat, carried: readonly string[] | null): boolean {
  return format === "factur-x" || carried === null || carried.includes(format);
}

const NOT_CARRIED: MissingField = {
  field: "customer.einvoice_format",
  rule: "MB-FORMAT",
  message: {
    en: "The account's connection does not carry the customer's format: choose the other format, or another way to send.",
    da: "Kontoens forbindelse kan ikke sende kundens format: Vælg det andet format eller en anden måde at sende på.",
  },
};

/** The VAT codes of e-invoices are those of a Danish seller, whatever country the seller's address names. */
const FOREIGN_VAT: MissingField = {
  field: "seller.country_key",
  rule: SELLER_COUNTRY.rule,
  message: {
    en: "Only Danish sellers can send e-invoices, and the account charges the VAT of another country.",
    da: "Kun danske sælgere kan sende e-fakturaer, og kontoen beregner et andet lands moms.",
  },
};

/** Returns the sentences of a broken rule by the English one: two rules may have the same id. Undefined for another text. */
export function sentencesOf(english: string): Sentences | undefined {
  return [FOREIGN_VAT, NOT_CARRIED, ...Object.values(RULES).flat()]
    .map(({ message }) => message)
    .find(({ en }) => en === english);
}

/**
 * Throws EINVOICE_INCOMPLETE for a document that the format cannot express: `missing` names the fields of ours, `rules` the broken
 * rules.
 */
export function requireExpressible(
  invoice: ElectronicInvoice,
  format: EinvoiceFormat,
  terms: EinvoiceTerms,
): void {
  const missing = missingOf(invoice, format, terms);
  if (missing.length > 0) throw incomplete(missing);
}

function incomplete(broken: readonly MissingField[]): Problem {
  const missing = [...new Set(broken.map(({ field }) => field))];
  const rules = broken.map(({ field, rule, message }) => ({ field, rule, message: message.en }));
  return new Problem("EINVOICE_INCOMPLETE", { details: { missing, rules } });
}
