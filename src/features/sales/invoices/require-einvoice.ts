/**
 * Refuses to book an invoice that would go out as an e-invoice and cannot be expressed as one. Nothing cures it once it is issued, so
 * it is refused before. Where it is still booked, a warning says so.
 */
import { formatToSend, getsEinvoices } from "../../../domain/einvoice/einvoice-format.ts";
import { missingOf, requireExpressible } from "../../../domain/einvoice/missing.ts";
import { receiverAddress } from "../../../domain/einvoice/receiver-address.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import { type Warning, warningsOfEinvoice } from "../../../domain/sales/warning.ts";
import { contentForRules } from "../../documents/einvoice-readiness/read-readiness.ts";
import { einvoiceTerms } from "../../settings/configuration/queries.ts";
import type { IssueInputs } from "./issue-inputs.ts";

/**
 * Requires that the invoice can be made as an e-invoice, where it is sent as one when it is issued. Throws EINVOICE_INCOMPLETE with
 * the fields and rules.
 */
export function requireEinvoice({ auto_send }: Pick<Invoice, "auto_send">, inputs: Inputs): void {
  const { customer, configuration, makes_einvoices } = inputs;
  const is_connected = configuration.einvoice_connection_id !== null;
  if (!makes_einvoices || !is_connected || !auto_send || customer.send_method !== "einvoice")
    return;
  requireExpressible(...askedOf(inputs));
}

/**
 * Returns the warning of an invoice to a customer who gets e-invoices, if it cannot be made as one. It is still booked where
 * `requireEinvoice` does not refuse it.
 */
export function einvoiceWarnings(inputs: Inputs): Warning[] {
  if (!inputs.makes_einvoices || !getsEinvoices(inputs.customer)) return [];
  return warningsOfEinvoice(missingOf(...askedOf(inputs)).map(({ field }) => field));
}

type Inputs = Pick<IssueInputs, "document" | "customer" | "configuration" | "makes_einvoices">;

function askedOf({ document, customer, configuration }: Inputs) {
  const invoice = contentForRules(document, receiverAddress(customer));
  return [invoice, formatToSend(customer), einvoiceTerms(configuration)] as const;
}
