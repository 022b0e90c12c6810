/** The warnings of an invoice: of a draft as if it were issued now, of an issued invoice as it was issued. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import { type DateFacts, type Warning, warningsOfDocument } from "../../../domain/sales/warning.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { findIssued } from "../../documents/issued/issued-documents.ts";
import { getConfiguration, vatSettings } from "../../settings/configuration/queries.ts";
import type { IssueInputs } from "./issue-inputs.ts";
import { getInvoice } from "./queries.ts";
import { einvoiceWarnings } from "./require-einvoice.ts";

/** Returns the warnings before the invoice is issued with these inputs. The date may have been read with them. */
export async function warningsOfIssue(
  cx: Reader,
  invoice: Pick<Invoice, "lines">,
  facts: IssueInputs,
  known_date?: CalendarDate | null,
): Promise<Warning[]> {
  const last_number_date = known_date === undefined ? await lastNumberDate(cx) : known_date;
  return warningsOfDraft(invoice, facts, { today: facts.today, last_number_date });
}

/** Returns the warnings of a draft. The issue date is checked when there are dates to compare it with. */
export function warningsOfDraft(
  invoice: Pick<Invoice, "lines">,
  inputs: IssueInputs,
  dates: DateFacts | null = null,
): Warning[] {
  const { document, configuration, vat_codes } = inputs;
  const warnings = warningsOfDocument({
    document,
    is_issued: false,
    lines: invoice.lines,
    vat: vatSettings(configuration),
    vat_codes,
    dates,
  });
  return [...warnings, ...einvoiceWarnings(inputs)];
}

/** Returns the warnings that remain for an issued invoice, from its frozen document. */
export async function warningsOfIssued(
  cx: Reader,
  invoice: Pick<Invoice, "lines">,
  document: DocumentSnapshot,
): Promise<Warning[]> {
  return warningsOfDocument({
    document,
    is_issued: true,
    lines: invoice.lines,
    vat: vatSettings(await getConfiguration(cx)),
    vat_codes: new Map(),
    dates: null,
  });
}

/** Returns the date of the invoice with the last number, which an index finds. */
export async function lastNumberDate(cx: Reader): Promise<CalendarDate | null> {
  const row = await cx.row<{ issue_date: CalendarDate }>(sql`
    select issue_date from invoices where account_id = ${cx.caller.account_id} and ledger_invoice_number is not null
     order by ledger_invoice_number desc limit 1`);
  return row?.issue_date ?? null;
}

/** Returns the warnings of the invoice with this id, whose booking was resumed. */
export async function warningsOfSettled(cx: Reader, id: string): Promise<Warning[]> {
  const { invoice } = await getInvoice(cx, id);
  const issued = await findIssued(cx, invoice.id);
  return issued === undefined ? [] : warningsOfIssued(cx, invoice, issued.snapshot);
}
