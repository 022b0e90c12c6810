/** The files of the lists of documents: what the list shows, and the PDFs of selected documents as a zip archive. */

import { invalidField } from "../../domain/base/problem.ts";
import { definePageFile } from "../frame/define-file.ts";
import { defineSheetPage } from "../frame/define-sheet.ts";
import type { PageRequest, WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { addressOf, filtersOf } from "./invoice-filters.ts";
import { invoiceSheet, noteSheet } from "./invoice-sheets.ts";
import { MOST_PDFS, PICKED_PDFS, type PickedPdfs, pickedPdfs } from "./picked-pdfs.ts";

export const EXPORT_PATH = "/invoices/export";
/** The address to which a list sends its selected documents; each id is the name of a field. */
export const PICKED_PATH = "/invoices/pdfs";

const invoicesFile = defineSheetPage(EXPORT_PATH, "hidden", invoiceSheet, filtersOf);
const notesFile = defineSheetPage(EXPORT_PATH, "hidden", noteSheet, filtersOf);

export const filePages: readonly WebPage[] = [
  {
    ...invoicesFile,
    handle: (request) =>
      (filtersOf(request).tab === "credit-notes" ? notesFile : invoicesFile).handle(request),
  },
  definePageFile(PICKED_PATH, PICKED_PDFS, pickedPdfs, picked),
];

/** Returns the selected documents, or the redirect address if none. Refuses more than one request can render. */
function picked(request: PageRequest): PickedPdfs | { readonly back: string } {
  const { tab } = filtersOf(request);
  const ids = Object.keys(request.query).filter(isId);
  if (ids.length === 0) return { back: addressOf({ tab }) };
  if (ids.length > MOST_PDFS) {
    throw invalidField("ids", "too_many", `At most ${MOST_PDFS} documents at a time.`);
  }
  const { files } = request.reader.words;
  const kind = tab === "credit-notes" ? "credit_note" : "invoice";
  return { kind, ids, filename: `${files.names[kind]}.zip` };
}
