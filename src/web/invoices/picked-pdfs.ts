/** Puts the PDFs of the documents selected in a list into one zip archive. */
import { invalidField, notFound } from "../../domain/base/problem.ts";
import { pdfOfCreditNote } from "../../features/sales/credit-notes/documents.ts";
import { pdfOfInvoice } from "../../features/sales/invoices/documents.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import { zipOf } from "../../platform/runtime/zip.ts";
import { isSeen } from "../frame/seen.ts";

export const PICKED_PDFS = "pages.picked_pdfs";
/** The number of documents that one request renders within its time. */
export const MOST_PDFS = 100;
const MOST_MEGABYTES = 50;
const MEGABYTE = 1_000_000;

export interface PickedPdfs {
  readonly kind: "invoice" | "credit_note";
  readonly ids: readonly string[];
  readonly filename: string;
}

/** Returns the archive. Throws NOT_FOUND for a document that the person cannot see, VALIDATION_FAILED above 50 MB. */
export async function pickedPdfs(
  cx: PersonContext,
  { kind, ids, filename }: PickedPdfs,
): Promise<ReplyFile> {
  const pdfOf = kind === "invoice" ? pdfOfInvoice : pdfOfCreditNote;
  const files: ReplyFile[] = [];
  let size = 0;
  for (const id of ids) {
    cx.signal.throwIfAborted();
    if (!(await isSeen(cx, kind, id))) throw notFound(kind, id);
    const file = await pdfOf(cx, id);
    size += file.content.length;
    if (size > MOST_MEGABYTES * MEGABYTE) {
      const message = `The documents are larger than ${MOST_MEGABYTES} MB together: select fewer of them.`;
      throw invalidField("ids", "too_large", message);
    }
    files.push(file);
  }
  const content = await zipOf(files, new Date(cx.clock.now()));
  return { content_type: "application/zip", filename, content };
}
