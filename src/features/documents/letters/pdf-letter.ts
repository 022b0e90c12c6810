/** Renders a letter with a table of amounts as a tagged PDF on A4. The same view gives the same bytes, as for documents. */
import { type Fonts, KNOWN_FONTS } from "../printing/pdf-fonts.ts";
import { drawFeet, drawNotes, drawParties, drawTop } from "../printing/pdf-paper.ts";
import { drawPayment } from "../printing/pdf-payment.ts";
import { frame, heightOf, Sheet, type Style } from "../printing/pdf-sheet.ts";
import { drawLines } from "../printing/pdf-table.ts";
import type { FactView, LetterView } from "../printing/view-parts.ts";

/** How far the text is raised from where notes begin, and the points below it. */
const INTRO = { raised: 24, below: 18 } as const;

/** The left edge of the total, and the points above and below its rule. */
const TOTAL = { left: 296, above: 13, below: 8 } as const;

/**
 * The bytes of the PDF; rejects only when the fonts cannot be read.
 *
 * @param logo the logo that the view has a place for, as `printedLogo` returns it.
 */
export async function renderLetter(
  view: LetterView,
  logo: Buffer | null = null,
  fonts: Fonts = KNOWN_FONTS,
): Promise<Buffer> {
  const sheet = new Sheet(view, fonts);
  sheet.addPage();
  drawTop(sheet, logo);
  drawParties(sheet);
  if (view.intro !== null) drawIntro(sheet, view.intro);
  drawLines(sheet, view.table);
  drawTotal(sheet, view.total);
  for (const box of view.boxes) drawPayment(sheet, box);
  if (view.notes !== null) drawNotes(sheet, view.notes);
  drawFeet(sheet);
  return sheet.finish();
}

/** The text stands closer to the parties above it than notes to the boxes. */
function drawIntro(sheet: Sheet, intro: string): void {
  sheet.y -= INTRO.raised;
  drawNotes(sheet, intro);
  sheet.y += INTRO.below;
}

function drawTotal(sheet: Sheet, { label, value }: FactView): void {
  const style: Style = { font: "semibold", size: 13, color: sheet.accent };
  const number: Style = { ...style, tabular: true };
  const height = TOTAL.above + TOTAL.below + heightOf(1, style);
  if (!sheet.fits(height)) sheet.addPage();
  sheet.y += TOTAL.above;
  const width = sheet.width(label, style) + sheet.width(value, number) + 32;
  const left = Math.min(TOTAL.left, frame.right - width);
  sheet.rule(left, frame.right, sheet.y, sheet.accent, 0.75);
  sheet.y += TOTAL.below;
  const baseline = sheet.y + style.size;
  sheet.element(sheet.root, "P", () => {
    sheet.put(`${label} `, left, baseline, style);
    sheet.putRight(value, frame.right, baseline, number);
  });
  sheet.y += heightOf(1, style);
}
