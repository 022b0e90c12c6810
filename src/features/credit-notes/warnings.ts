/** The warnings of a credit note: as it would be issued now, or as it was. */
import type { DocumentSnapshot } from "../../domain/document.ts";
import { type Warning, warningsOfDocument } from "../../domain/warning.ts";
import type { Context } from "../../platform/context.ts";
import { getConfiguration } from "../configuration/queries.ts";
import { vatSettings } from "../invoices/facts.ts";

export async function warningsOfCredit(
  cx: Context,
  document: DocumentSnapshot,
  is_issued: boolean,
): Promise<Warning[]> {
  return warningsOfDocument({
    document,
    is_issued,
    lines: [],
    vat: vatSettings(await getConfiguration(cx)),
    vat_codes: new Map(),
  });
}
