/**
 * Renders a snapshot to the bytes of its PDF. PDFs of drafts are cached while there is room, because one person looks at a
 * draft repeatedly. The cache key is the content of the draft, never its id, so a
 * change of draft, customer, product, seller or day shows immediately.
 */
import type { IssuedPaper, PaperSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { freeze, sha256 } from "../../../platform/runtime/json.ts";
import { LruCache } from "../../../platform/runtime/lru-cache.ts";
import { printedLogo } from "../../settings/configuration/logo.ts";
import { reminderViewOf } from "../letters/reminder-view.ts";
import { statementViewOf } from "../letters/statement-view.ts";
import { viewOf } from "../printing/view.ts";

/** Loaded for the first document: the libraries of PDFs and fonts take part of every start, also in threads that need none. */
const printing = () => import("../printing/pdf.ts");

/** The maximum size of each thread's cache of rendered drafts, in bytes. */
const MOST_KEPT = 16_000_000;

/** The cached PDFs by account and digest of the snapshot. The renderer's version is the same for a whole process. */
const drafts = new LruCache<string, Buffer>(MOST_KEPT);

/** Renders the PDF of a document under its number; `hours_are_own` when the document does not have all hours. */
export async function renderIssued(
  cx: Reader,
  snapshot: DocumentSnapshot,
  number: bigint,
  hours_are_own = false,
): Promise<Buffer> {
  const { renderPdf } = await printing();
  return renderPdf(viewOf(snapshot, { number, hours_are_own }), await logoOf(cx, snapshot));
}

/**
 * Renders the document as a file of Factur-X: the pages of its PDF, as PDF/A-3a, with its data attached.
 *
 * @param xml the data as CII, in UTF-8.
 */
export async function renderFacturX(
  cx: Reader,
  snapshot: DocumentSnapshot,
  number: bigint,
  xml: Uint8Array,
): Promise<Buffer> {
  const { renderPdf } = await printing();
  const view = viewOf(snapshot, { number, hours_are_own: false });
  return renderPdf(view, await logoOf(cx, snapshot), undefined, xml);
}

/** Renders the PDF of any frozen paper. Throws an Error for a document without a number. */
export async function renderPaper(cx: Reader, { snapshot, number }: IssuedPaper): Promise<Buffer> {
  if (snapshot.kind === "statement" || snapshot.kind === "reminder") {
    const { renderLetter } = await import("../letters/pdf-letter.ts");
    const view =
      snapshot.kind === "statement" ? statementViewOf(snapshot) : reminderViewOf(snapshot, number);
    return renderLetter(view, await logoOf(cx, snapshot));
  }
  if (number === null) throw new Error(`document ${snapshot.document_id} has no number`);
  return renderIssued(cx, snapshot, number);
}

/** Renders the marked PDF of a draft once for the same content, also in parallel. Callers must not change its bytes. */
export async function renderDraft(
  cx: Reader,
  snapshot: DocumentSnapshot,
  hours_are_own = false,
): Promise<Buffer> {
  const key = `${cx.caller.account_id} ${hours_are_own} ${sha256(freeze(snapshot)).toString("base64")}`;
  const known = drafts.get(key);
  if (known !== undefined) return known;
  // Each caller reads the logo: a caller that is aborted must not abort a shared rendering.
  const logo = await logoOf(cx, snapshot);
  const { renderPdf } = await printing();
  const render = () => renderPdf(viewOf(snapshot, { number: null, hours_are_own }), logo);
  return drafts.getOrMake(key, render, (bytes) => bytes.length);
}

async function logoOf(cx: Reader, { seller }: PaperSnapshot): Promise<Buffer | null> {
  return seller?.logo === undefined ? null : printedLogo(cx, seller.logo);
}
