/**
 * Refuses to book an invoice that would go out as an e-invoice and cannot be expressed as one. Nothing cures it once it is issued, so
 * it is refused before.
 */
import { electronicInvoiceFrom } from "../../../domain/einvoice/from-snapshot.ts";
import { requireExpressible } from "../../../domain/einvoice/missing.ts";
import { addressFrom } from "../../../domain/einvoice/parties-from-snapshot.ts";
import { receiverAddress } from "../../../domain/einvoice/receiver-address.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import { formatOf } from "../../documents/einvoice-files/render-einvoice.ts";
import type { IssueInputs } from "./issue-inputs.ts";

/** Stands for the number that the invoice has not yet: no rule depends on it. */
const NO_NUMBER = "1";

/**
 * Requires that the invoice can be made as an e-invoice, where it is sent as one when it is issued. Throws EINVOICE_INCOMPLETE with
 * the fields and rules.
 */
export function requireEinvoice(
  { auto_send }: Pick<Invoice, "auto_send">,
  { document, customer, sends_einvoices }: IssueInputs,
): void {
  if (!sends_einvoices || !auto_send || customer.send_method !== "einvoice") return;
  const invoice = electronicInvoiceFrom(document, {
    number: NO_NUMBER,
    preceding_year: null,
    receiver: addressFrom(receiverAddress(customer)),
    corrections: {},
    attachments: [],
  });
  requireExpressible(invoice, formatOf(customer.einvoice_format));
}
