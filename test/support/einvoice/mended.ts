/** Random documents without the faults that most of them have, so that the rules of amounts are reached. */
import type { DocumentSnapshot, Seller } from "../../../src/domain/sales/document.ts";
import { danish } from "../documents/documents.ts";

/** Returns the document with a seller, a customer and a reference that e-invoices take, and a text on each line. */
export function mended(document: DocumentSnapshot): DocumentSnapshot {
  const { bank_account_number = null, iban = null } = document.seller ?? {};
  return {
    ...document,
    seller: { ...(danish().seller as Seller), bank_account_number, iban },
    customer: { ...document.customer, name: "Ringkøbing Kommune" },
    lines: document.lines.map((line) => ({ ...line, text: `${line.text} 1` })),
    buyer_reference: "EAN-ref 7",
  };
}
