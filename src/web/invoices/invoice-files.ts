/** Makes files from lists: the filtered list as CSV, the PDFs of selected documents as a zip archive. */

import { invalidField } from "../../domain/base/problem.ts";
import { customersCsv } from "../../features/catalogue/customers/csv.ts";
import { productsCsv } from "../../features/catalogue/products/csv.ts";
import { creditNotesCsv } from "../../features/sales/credit-notes/csv.ts";
import { invoicesCsv } from "../../features/sales/invoices/csv.ts";
import { defineExport, definePageFile } from "../frame/define-file.ts";
import type { PageRequest, WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { searchIn } from "../parts/list.tsx";
import { addressOf, filtersOf } from "./invoice-filters.ts";
import { MOST_PDFS, PICKED_PDFS, type PickedPdfs, pickedPdfs } from "./picked-pdfs.ts";

export const EXPORT_PATH = "/invoices/export";
/** The address to which a list sends its selected documents; each id is the name of a field. */
export const PICKED_PATH = "/invoices/pdfs";

export const filePages: readonly WebPage[] = [
  defineExport(EXPORT_PATH, (request) => {
    const { tab, q, ...filters } = filtersOf(request);
    const searched = { ...filters, ...(q === undefined ? {} : { search: q }) };
    if (tab === "credit-notes") return { route: creditNotesCsv, filters: searched };
    const status = tab === "drafts" ? "draft" : "issued";
    return { route: invoicesCsv, filters: { ...searched, origin: "all", status } };
  }),
  defineExport("/customers/export", (request) => ({
    route: customersCsv,
    filters: searchedIn(request, request.query.active === "false" ? "false" : "true"),
  })),
  defineExport("/products/export", (request) => ({
    route: productsCsv,
    filters: searchedIn(request, request.query.active === "all" ? "all" : "true"),
  })),
  definePageFile(PICKED_PATH, PICKED_PDFS, pickedPdfs, picked),
];

function searchedIn({ query }: PageRequest, active: string): Readonly<Record<string, string>> {
  const search = searchIn(query);
  return { active, ...(search ? { search } : {}) };
}

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
