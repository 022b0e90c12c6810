/** The content of the e-invoice of a frozen document, under number 1001 and to one receiver. */
import type {
  ElectronicAddress,
  ElectronicInvoice,
} from "../../../src/domain/einvoice/electronic-invoice.ts";
import { electronicInvoiceFrom } from "../../../src/domain/einvoice/from-snapshot.ts";
import type { DocumentSnapshot } from "../../../src/domain/sales/document.ts";

/** What the frozen document does not say of itself. */
export const FACTS = {
  number: "1001",
  preceding_year: null,
  receiver: { scheme: "0088", value: "5798009811578" },
  corrections: {},
  attachments: [],
};

/** Returns the content, to the usual receiver unless another one, or none, is given. */
export function contentOf(
  document: DocumentSnapshot,
  receiver: ElectronicAddress | null = FACTS.receiver,
): ElectronicInvoice {
  return electronicInvoiceFrom(document, { ...FACTS, receiver });
}
