/**
 * Reads an e-invoice back from its elements, term by term of EN 16931, by a table of paths. It shares
 * nothing with the code that writes e-invoices, so that a person and the verification see what a recipient sees.
 */

import {
  ABBREVIATIONS,
  DOCUMENT,
  LINE,
  PARTY,
  PAYMENT,
  type Row,
  TOTALS,
  VAT,
} from "./business-term-paths.ts";

/** An element with its local name, its own text, and its attributes by local name. */
export interface EinvoiceElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly EinvoiceElement[];
  readonly text: string;
}

/** A value as the bytes have it. */
export interface BusinessTerm {
  /** `BT-131` */
  readonly term: string;
  readonly value: string;
  /** The attribute that qualifies the value: a currency, a unit code or a code list; null without one. */
  readonly qualifier: string | null;
}

export interface ReadEinvoice {
  readonly syntax: Syntax;
  readonly kind: "invoice" | "credit_note";
  /** The terms of the whole document, in the order of the standard's groups. */
  readonly document: readonly BusinessTerm[];
  readonly seller: readonly BusinessTerm[];
  readonly buyer: readonly BusinessTerm[];
  readonly payment: readonly BusinessTerm[];
  readonly totals: readonly BusinessTerm[];
  /** BG-23, one entry for each category and rate. */
  readonly vat: readonly (readonly BusinessTerm[])[];
  /** BG-25, one entry for each line. */
  readonly lines: readonly (readonly BusinessTerm[])[];
  /** The names of the attached files. */
  readonly attachments: readonly string[];
}

type Syntax = "ubl" | "oioubl" | "cii";

const QUALIFIERS = ["currencyID", "unitCode", "schemeID", "listID"];

/** Returns the terms of a document whose root is given. Terms that the document has not are left out. */
export function readBusinessTerms(root: EinvoiceElement): ReadEinvoice {
  const syntax = syntaxOf(root);
  const read = (from: EinvoiceElement, rows: readonly Row[]): BusinessTerm[] =>
    rows.flatMap(([term, paths]) => termsAt(from, term, pathOf(paths, syntax)));
  const party = (path: string, at: 0 | 1): BusinessTerm[] => {
    const [found] = elementsAt(root, path);
    if (found === undefined) return [];
    return read(
      found,
      PARTY.map((row) => [row[at], row[2]] as const),
    );
  };
  const is_cii = syntax === "cii";
  const vat_path = is_cii ? "$settlement/ApplicableTradeTax" : "TaxTotal/TaxSubtotal";
  const line_path = is_cii
    ? "SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem"
    : "InvoiceLine|CreditNoteLine";
  const document = read(root, DOCUMENT);
  return {
    syntax,
    kind: isCreditNote(root, document) ? "credit_note" : "invoice",
    document,
    seller: party(is_cii ? "$agreement/SellerTradeParty" : "AccountingSupplierParty/Party", 0),
    buyer: party(is_cii ? "$agreement/BuyerTradeParty" : "AccountingCustomerParty/Party", 1),
    payment: read(root, PAYMENT),
    totals: inOwnCurrency(read(root, TOTALS), document),
    vat: elementsAt(root, vat_path).map((element) => read(element, VAT)),
    lines: elementsAt(root, line_path).map((element) => read(element, LINE)),
    attachments: attachmentsOf(root, is_cii),
  };
}

/** Returns the first value of a term; undefined without one. */
export function termValue(terms: readonly BusinessTerm[], term: string): string | undefined {
  return terms.find((one) => one.term === term)?.value;
}

function syntaxOf(root: EinvoiceElement): Syntax {
  if (root.name === "CrossIndustryInvoice") return "cii";
  const [customization] = elementsAt(root, "CustomizationID");
  return customization?.text.startsWith("OIOUBL") ? "oioubl" : "ubl";
}

function isCreditNote(root: EinvoiceElement, document: readonly BusinessTerm[]): boolean {
  return root.name === "CreditNote" || termValue(document, "BT-3") === "381";
}

function pathOf({ ubl, oioubl, cii }: Row[1], syntax: Syntax): string {
  return (syntax === "cii" ? cii : syntax === "oioubl" ? (oioubl ?? ubl) : ubl) ?? "";
}

function termsAt(from: EinvoiceElement, term: string, path: string): BusinessTerm[] {
  return elementsAt(from, path).map(({ text, attributes }) => ({
    term,
    value: dayFrom(text, attributes.format),
    qualifier: QUALIFIERS.map((name) => attributes[name]).find((one) => one !== undefined) ?? null,
  }));
}

/** CII writes days as `20261120`, in format 102. */
function dayFrom(text: string, format: string | undefined): string {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  return format === "102" && year !== undefined ? `${year}-${month}-${day}` : text;
}

/** Returns the elements at a path, in document order; of alternatives, those of the first that exists. */
function elementsAt(from: EinvoiceElement, path: string): readonly EinvoiceElement[] {
  for (const one of path.split("|")) {
    const steps = one.split("/").flatMap((step) => (ABBREVIATIONS[step] ?? step).split("/"));
    const found = steps.reduce<readonly EinvoiceElement[]>(
      (elements, step) =>
        elements.flatMap(({ children }) => children.filter(({ name }) => name === step)),
      [from],
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** VAT is totalled twice where the books have another currency: the second total is BT-111. */
function inOwnCurrency(
  totals: readonly BusinessTerm[],
  document: readonly BusinessTerm[],
): BusinessTerm[] {
  const currency = termValue(document, "BT-5");
  return totals.map((one) =>
    one.term === "BT-110" && one.qualifier !== null && one.qualifier !== currency
      ? { ...one, term: "BT-111" }
      : one,
  );
}

function attachmentsOf(root: EinvoiceElement, is_cii: boolean): string[] {
  const path = is_cii
    ? "$agreement/AdditionalReferencedDocument/AttachmentBinaryObject"
    : "AdditionalDocumentReference/Attachment/EmbeddedDocumentBinaryObject";
  return elementsAt(root, path).map(({ attributes }) => attributes.filename ?? "");
}
