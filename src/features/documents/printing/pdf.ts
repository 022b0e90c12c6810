/**
 * Renders a document as a tagged PDF on A4. The same view gives the same bytes: nothing here reads
 * the clock, and the file has the date of the document. Rendering costs about ten milliseconds of CPU
 * for a page, so it happens once, after booking, and the bytes are stored (spec 10.3).
 */

import { attachFacturX } from "./pdf-factur-x.ts";
import { type Fonts, KNOWN_FONTS } from "./pdf-fonts.ts";
import { drawHours } from "./pdf-hours.ts";
import { drawFeet, drawNotes, drawParties, drawTop } from "./pdf-paper.ts";
import { drawPayment, roomForPayment } from "./pdf-payment.ts";
import { Sheet } from "./pdf-sheet.ts";
import { drawLines } from "./pdf-table.ts";
import { drawTotals } from "./pdf-totals.ts";
import type { DocumentView } from "./view.ts";

/**
 * The bytes of the PDF; rejects only when the fonts cannot be read.
 *
 * @param logo the logo that the view has a place for, as `printedLogo` returns it.
 * @param fonts the cached fonts; the bytes do not depend on the state of the cache.
 * @param factur_x the data of the document as CII: the same pages become a file of Factur-X, which people and programs read.
 */
export async function renderPdf(
  view: DocumentView,
  logo: Buffer | null = null,
  fonts: Fonts = KNOWN_FONTS,
  factur_x: Uint8Array | null = null,
): Promise<Buffer> {
  const sheet = new Sheet(view, fonts, factur_x !== null);
  sheet.addPage();
  drawTop(sheet, logo);
  drawParties(sheet);
  drawLines(sheet, view.table);
  drawTotals(sheet, view, view.payment === null ? 0 : roomForPayment(view.payment));
  if (view.payment !== null) drawPayment(sheet, view.payment);
  if (view.notes !== null) drawNotes(sheet, view.notes);
  if (view.hours !== null) drawHours(sheet, view.hours);
  drawFeet(sheet);
  if (factur_x !== null) attachFacturX(sheet, factur_x);
  return sheet.finish();
}

/** The bytes of the pages of hours alone, headed by the document; null for a view without hours. */
export async function renderTimesheet(
  view: DocumentView,
  fonts: Fonts = KNOWN_FONTS,
): Promise<Buffer | null> {
  if (view.hours === null) return null;
  const heading = `${view.hours.heading} – ${view.heading}`;
  const sheet = new Sheet({ ...view, file_title: `${heading} – ${view.author}` }, fonts);
  sheet.addPage();
  drawHours(sheet, { ...view.hours, heading }, true);
  drawFeet(sheet);
  return sheet.finish();
}
