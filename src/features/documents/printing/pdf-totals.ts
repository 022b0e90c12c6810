/**
 * The totals: subtotal, VAT by code, total, the VAT in the functional currency and the sentences that the law
 * requires. The block stays on one page, so that a total is never separated from the VAT that it contains.
 */
import { colors, frame, heightOf, type Sheet, type Style } from "./pdf-sheet.ts";
import type { DocumentView } from "./view.ts";
import type { FactView } from "./view-parts.ts";

const body: Style = { font: "regular", size: 9, color: colors.text };
const number: Style = { ...body, tabular: true };
const muted: Style = { ...body, size: 8, color: colors.muted };
const mutedNumber: Style = { ...muted, tabular: true };
const head: Style = { font: "semibold", size: 7.5, color: colors.muted };
const grand: Style = { font: "semibold", size: 13, color: colors.text };
const grandNumber: Style = { ...grand, tabular: true };
const gap = 16;
const rowHeight = heightOf(1, body) + 3;
const vatHeadHeight = heightOf(1, head) + 3;
const totalHeight = heightOf(1, grand) + 2;
const functionalHeight = heightOf(1, muted) + 1;
/** Points between the parts of the block. */
const space = {
  above: 8,
  beforeVat: 4,
  beforeVatHead: 5,
  beforeRule: 5,
  afterRule: 8,
  beforeSentences: 16,
  afterSentence: 2,
} as const;

/**
 * Draws the block at the right edge, on a new page when it does not fit completely.
 *
 * @param below points that the following content needs: the block moves to the next page with it, so that it is not alone there.
 */
export function drawTotals(sheet: Sheet, view: DocumentView, below: number): void {
  const sentences = view.statutory.map((text) => sheet.wrap(text, frame.right - frame.left, muted));
  const height = heightOfTotals(view, sentences);
  sheet.y += space.above;
  const together = frame.top + height + below <= frame.bottom;
  if (!sheet.fits(together ? height + below : height)) sheet.addPage();

  const columns = columnsOf(sheet, view);
  drawFact(sheet, columns.left, view.subtotal, body, number, rowHeight);
  if (view.vat_table.rows.length > 0) drawVat(sheet, view, columns);
  if (view.vat_table.sum !== null) {
    drawFact(sheet, columns.left, view.vat_table.sum, body, number, rowHeight);
  }
  sheet.y += space.beforeRule;
  sheet.rule(columns.left, frame.right, sheet.y, sheet.accent, 0.75);
  sheet.y += space.afterRule;
  const color = sheet.accent;
  const [total, amount] = [
    { ...grand, color },
    { ...grandNumber, color },
  ];
  drawFact(sheet, columns.left, view.total, total, amount, totalHeight);
  for (const fact of view.functional) {
    drawFact(sheet, columns.left, fact, muted, mutedNumber, functionalHeight);
  }
  if (sentences.length > 0) sheet.y += space.beforeSentences;
  for (const lines of sentences) {
    sheet.element(sheet.root, "P", () => {
      for (const line of lines) {
        sheet.put(`${line} `, frame.left, sheet.y + muted.size, muted);
        sheet.y += heightOf(1, muted);
      }
    });
    sheet.y += space.afterSentence;
  }
}

/** The exact height that `drawTotals` needs: a larger estimate would move a block that fits to a new page. */
function heightOfTotals(view: DocumentView, sentences: readonly string[][]): number {
  const { rows, sum } = view.vat_table;
  const facts = rows.length + 1 + (sum === null ? 0 : 1);
  const lines = sentences.reduce((count, sentence) => count + sentence.length, 0);
  return (
    facts * rowHeight +
    (rows.length === 0 ? 0 : space.beforeVat + space.beforeVatHead + vatHeadHeight) +
    (space.beforeRule + space.afterRule + totalHeight) +
    view.functional.length * functionalHeight +
    (sentences.length === 0 ? 0 : space.beforeSentences) +
    (heightOf(lines, muted) + sentences.length * space.afterSentence)
  );
}

interface Columns {
  readonly left: number;
  /** Right edges of rate, base and VAT amount. */
  readonly rights: readonly [number, number, number];
}

/** The block is as wide as its numbers need and at least a little wider than half of the page. */
function columnsOf(sheet: Sheet, view: DocumentView): Columns {
  const { head: labels, rows } = view.vat_table;
  const column = (index: number, style: Style) =>
    Math.max(
      sheet.width(labels[index] ?? "", head),
      ...rows.map((row) => sheet.width(row[index] ?? "", style)),
    );
  const base = frame.right - column(3, number) - gap;
  const rate = base - column(2, number) - gap;
  const text = rate - column(1, number) - gap - column(0, body);
  const total = sheet.width(view.total.label, grand) + sheet.width(view.total.value, grandNumber);
  const left = Math.min(text, frame.right - total - 2 * gap, 296);
  return { left: Math.max(frame.left, left), rights: [rate, base, frame.right] };
}

function drawVat(sheet: Sheet, view: DocumentView, columns: Columns): void {
  const table = sheet.element(sheet.root, "Table");
  const { head: labels, rows } = view.vat_table;
  sheet.y += space.beforeVat;
  sheet.rule(columns.left, frame.right, sheet.y, colors.rule, 0.5);
  sheet.y += space.beforeVatHead;
  const draw = (cells: readonly string[], type: "TH" | "TD", style: Style, numeric: Style) => {
    const baseline = sheet.y + style.size;
    const row = sheet.element(table, "TR");
    cells.forEach((cell, index) => {
      const right = index === 0 ? undefined : columns.rights[index - 1];
      const place = () => {
        if (right === undefined) sheet.put(cell, columns.left, baseline, style);
        else sheet.putRight(cell, right, baseline, numeric);
      };
      sheet.element(row, type, place, type === "TH" ? "Column" : undefined);
    });
  };
  draw(labels, "TH", head, head);
  sheet.y += vatHeadHeight;
  for (const row of rows) {
    draw(row, "TD", body, number);
    sheet.y += rowHeight;
  }
}

function drawFact(
  sheet: Sheet,
  left: number,
  fact: FactView,
  style: Style,
  numeric: Style,
  height: number,
): void {
  const baseline = sheet.y + style.size;
  sheet.element(sheet.root, "P", () => {
    sheet.put(`${fact.label} `, left, baseline, style);
    sheet.putRight(fact.value, frame.right, baseline, numeric);
  });
  sheet.y += height;
}
