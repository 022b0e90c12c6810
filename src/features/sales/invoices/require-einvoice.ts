/**
 * Refuses to book an invoice that would go out as an e-invoice and cannot be expressed as one. Nothing cures it once it is issued, so
 * it is refused before.
 */
import { formatToSend } from "../../../domain/einvoice/einvoice-format.ts";
import { requireExpressible } from "../../../domain/einvoice/missing.ts";
import { receiverAddress } from "../../../domain/einvoice/receiver-address.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import { contentForRules } from "../../documents/einvoice-readiness/read-readiness.ts";
import type { IssueInputs } from "./issue-inputs.ts";

/**
 * Requires that the invoice can be made as an e-invoice, where it is sent as one when it is issued. Throws EINVOICE_INCOMPLETE with
 * the fields and rules.
 */
export function requireEinvoice(
  { auto_send }: Pick<Invoice, "auto_send">,
  { document, customer, configuration, sends_einvoices }: IssueInputs,
): void {
  if (!sends_einvoices || !auto_send || customer.send_method !== "einvoice") return;
  requireExpressible(
    contentForRules(document, receiverAddress(customer)),
    formatToSend(customer),
    configuration.vat_domestic_country,
  );
}
