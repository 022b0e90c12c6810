/** An invoice's documents: totals, PDF, resending (spec 10.1 and 10.3). Drafts are previewed, issued ones frozen. */
import { Problem } from "../../../domain/base/problem.ts";
import { seesAccount } from "../../../domain/base/visibility.ts";
import type { EinvoiceFormat } from "../../../domain/einvoice/einvoice-format.ts";
import { specificationOf } from "../../../domain/sales/specification.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { defineSending } from "../../documents/deliveries/send.ts";
import { defineRevoking } from "../../documents/document-links/revoke-links.ts";
import { einvoiceReply } from "../../documents/einvoice-files/present.ts";
import { readinessOfDocument } from "../../documents/einvoice-readiness/read-readiness.ts";
import {
  findIssued,
  pdfReply,
  type ShownDocument,
} from "../../documents/issued/issued-documents.ts";
import { presentTotals } from "../../documents/issued/totals.ts";
import { leaveIfMuchWorked } from "../hours/count-worked.ts";
import { entriesByLine } from "../hours/queries.ts";
import { factsOf } from "./issue-inputs.ts";
import { getInvoice, lockInvoice } from "./queries.ts";
import { warningsOfDraft, warningsOfIssue, warningsOfIssued } from "./warnings.ts";

/** Returns the totals as issued; for a draft, the totals that issuing the draft now would give. Throws NOT_FOUND. */
export async function totalsOfInvoice(cx: Reader, ref: string): Promise<JsonText> {
  const { invoice } = await getInvoice(cx, ref);
  const issued = invoice.status === "issued" ? await findIssued(cx, invoice.id) : undefined;
  if (issued) {
    const { snapshot } = issued;
    return jsonText(presentTotals(snapshot, await warningsOfIssued(cx, invoice, snapshot)));
  }
  const facts = await factsOf(cx, invoice);
  // An invoice without a date is dated when it is issued, and its date is checked then.
  const warnings =
    invoice.issue_date === null
      ? warningsOfDraft(invoice, facts)
      : await warningsOfIssue(cx, invoice, facts);
  return jsonText(presentTotals(facts.document, warnings));
}

/**
 * Returns the stored PDF of an issued invoice, or a preview of a draft that is marked as such. A caller who does not see the
 * whole account gets the PDF without the hours of other users (spec 7.1). Throws NOT_FOUND.
 */
export async function pdfOfInvoice(cx: Reader, ref: string): Promise<ReplyFile> {
  return pdfReply(cx, await withoutOthers(cx, await documentFor(cx, ref)));
}

/** Returns the e-invoice of an issued invoice. Throws NOT_FOUND, INVOICE_NOT_ISSUED, EINVOICE_INCOMPLETE, EINVOICE_BY_LEDGER. */
export async function einvoiceOfInvoice(
  cx: Reader,
  ref: string,
  format: EinvoiceFormat | undefined,
): Promise<ReplyFile> {
  const shown = await documentFor(cx, ref);
  if (shown.number === null) throw new Problem("INVOICE_NOT_ISSUED");
  return einvoiceReply(cx, await withoutOthers(cx, shown), format);
}

/** Returns whether the invoice could be sent as an e-invoice. Throws NOT_FOUND, EINVOICE_BY_LEDGER. */
export async function readinessOfInvoice(cx: Context, ref: string): Promise<JsonText> {
  return readinessOfDocument(cx, await documentFor(cx, ref));
}

/** Removes the itemised hours that the caller may not see from a document; its amounts stay the same. */
async function withoutOthers(cx: Reader, shown: ShownDocument): Promise<ShownDocument> {
  const { person } = cx.caller;
  const { snapshot } = shown;
  if (person === null || seesAccount(person.role) || snapshot.hours === undefined) return shown;
  const line_ids = snapshot.hours.map(({ line_id }) => line_id);
  // A frozen document has only the names of users. The registrations are frozen with the document and have the users' ids.
  const entries = await entriesByLine(cx, [line_ids]);
  const own = new Map(
    [...entries].map(([line_id, all]) => [
      line_id,
      all.filter(({ user_id }) => user_id === person.user_id),
    ]),
  );
  const count = (of: typeof entries) => [...of.values()].reduce((sum, all) => sum + all.length, 0);
  if (count(own) === count(entries)) return shown;
  const { hours_are_summed: _, ...rest } = snapshot;
  const { hours, hours_are_summed } = specificationOf(line_ids, own);
  return {
    ...shown,
    snapshot: { ...rest, hours, ...(hours_are_summed ? { hours_are_summed } : {}) },
    hours_are_own: true,
  };
}

async function documentFor(cx: Reader, ref: string): Promise<ShownDocument> {
  const { invoice } = await getInvoice(cx, ref);
  const issued = invoice.status === "issued" ? await findIssued(cx, invoice.id) : undefined;
  if (issued) return { id: invoice.id, ...issued };
  const { document } = await factsOf(cx, invoice, { is_printed: true });
  return { id: invoice.id, snapshot: document, number: null };
}

/** Sends an issued invoice again. Throws NOT_FOUND, INVOICE_NOT_ISSUED. */
export const sendInvoice = defineSending("send_invoice", async (tx, ref) => {
  const { invoice } = await lockInvoice(tx, ref);
  if (invoice.status !== "issued") throw new Problem("INVOICE_NOT_ISSUED");
  await leaveIfMuchWorked(tx, { ...invoice, auto_send: true });
  return invoice;
});

/** Ends all links to an issued invoice. Throws NOT_FOUND, INVOICE_NOT_ISSUED. */
export const revokeInvoiceLinks = defineRevoking(
  "revoke_invoice_links",
  "invoice",
  async (tx, ref) => {
    const { invoice } = await getInvoice(tx, ref);
    if (invoice.status !== "issued") throw new Problem("INVOICE_NOT_ISSUED");
    return invoice;
  },
);
