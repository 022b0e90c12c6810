/** The warnings of an invoice: as it would be issued now, or as it was. */
import type { DocumentSnapshot } from "../../domain/document.ts";
import type { Invoice } from "../../domain/invoice.ts";
import { type Warning, warningsOfDocument } from "../../domain/warning.ts";
import type { Context } from "../../platform/context.ts";
import { getConfiguration } from "../configuration/queries.ts";
import { findIssued } from "../documents/issued.ts";
import { type InvoiceFacts, vatSettings } from "./facts.ts";
import { getInvoice } from "./queries.ts";

/** What to look at before the invoice is issued with these facts. */
export function warningsOfDraft(
  invoice: Pick<Invoice, "lines">,
  { document, configuration, vat_codes }: InvoiceFacts,
): Warning[] {
  return warningsOfDocument({
    document,
    is_issued: false,
    lines: invoice.lines,
    vat: vatSettings(configuration),
    vat_codes,
  });
}

/** What can still be said of an invoice that is issued, by its frozen document. */
export async function warningsOfIssued(
  cx: Context,
  invoice: Pick<Invoice, "lines">,
  document: DocumentSnapshot,
): Promise<Warning[]> {
  return warningsOfDocument({
    document,
    is_issued: true,
    lines: invoice.lines,
    vat: vatSettings(await getConfiguration(cx)),
    vat_codes: new Map(),
  });
}

/** The same of an invoice whose booking was gone on with; by its id. */
export async function warningsOfSettled(cx: Context, id: string): Promise<Warning[]> {
  const { invoice } = await getInvoice({ ...cx, locks: false }, id);
  const issued = await findIssued(cx, invoice.id);
  return issued === undefined ? [] : warningsOfIssued(cx, invoice, issued.snapshot);
}
