/** What Peppol BIS Billing 3 and OIOUBL 2.1 share of UBL 2.1: the document around the content, days, and the credited invoice. */
import type { Days, ElectronicInvoice } from "./electronic-invoice.ts";
import { rootOf, UBL } from "./peppol-identifiers.ts";
import { aggregate, element, xmlDocument } from "./xml-element.ts";

/** Returns a document of UBL, to be encoded as UTF-8. */
export function ublDocument(
  kind: ElectronicInvoice["kind"],
  ...children: readonly string[]
): string {
  const { name, namespace } = rootOf(kind);
  const namespaces = {
    xmlns: namespace,
    "xmlns:cac": `${UBL}:CommonAggregateComponents-2`,
    "xmlns:cbc": `${UBL}:CommonBasicComponents-2`,
  };
  return xmlDocument(name, namespaces, ...children);
}

/** Returns the days of a document or of a line (BG-14, BG-26); nothing without any. */
export function invoicePeriod(days: Days | null): string {
  if (days === null) return "";
  return aggregate(
    "cac:InvoicePeriod",
    element("cbc:StartDate", days.from),
    element("cbc:EndDate", days.to),
  );
}

/** Returns the reference to the credited invoice (BG-3); nothing on an invoice. */
export function billingReference({ preceding }: Pick<ElectronicInvoice, "preceding">): string {
  if (preceding === null) return "";
  return aggregate(
    "cac:BillingReference",
    aggregate(
      "cac:InvoiceDocumentReference",
      element("cbc:ID", preceding.number),
      element("cbc:IssueDate", preceding.date),
    ),
  );
}
