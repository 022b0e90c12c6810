/**
 * The identifiers of the Peppol network for what we send: parties, document types and the process, as its policy writes them.
 * OIOUBL shares the namespaces and the root elements of UBL alone.
 */

/** The scheme of electronic addresses, and the authority of parties in an envelope. */
export const PARTICIPANT_SCHEME = "iso6523-actorid-upis";
export const DOCUMENT_TYPE_SCHEME = "busdox-docid-qns";
export const PROCESS_SCHEME = "cenbii-procid-ubl";

/** The process of invoices and credit notes of BIS Billing 3, without its scheme. */
export const BILLING_PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

/** The beginning of the namespaces of UBL 2.1. */
export const UBL = "urn:oasis:names:specification:ubl:schema:xsd";
/** The customization of BIS Billing 3. A later profile (NemHandel BIS 4, PINT) takes the place of it and of the process. */
export const BILLING_CUSTOMIZATION =
  "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";

/** The kinds of documents that are sent. */
export type SentKind = "invoice" | "credit_note";

/** The root element of a document, and its namespace. */
interface RootElement {
  readonly name: "Invoice" | "CreditNote";
  readonly namespace: string;
}

/** Returns the root element of a kind of document in UBL 2.1. */
export function rootOf(kind: SentKind): RootElement {
  const name = kind === "invoice" ? "Invoice" : "CreditNote";
  return { name, namespace: `${UBL}:${name}-2` };
}

/** Returns the document type of BIS Billing 3, without its scheme. */
export function documentTypeOf(kind: SentKind): string {
  const { name, namespace } = rootOf(kind);
  return `${namespace}::${name}##${BILLING_CUSTOMIZATION}::2.1`;
}
