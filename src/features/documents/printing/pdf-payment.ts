/**
 * The box with the amount due, the due date and the payment details. It is placed below the totals, with a smaller gap near the
 * end of a page, and never alone on a page: `roomForPayment` is the space that the totals reserve for it.
 */
import { colors, type Element, frame, heightOf, type Sheet, type Style } from "./pdf-sheet.ts";
import type { BoxView, FactView } from "./view-parts.ts";

const strong: Style = { font: "semibold", size: 9, color: colors.text };
const label: Style = { font: "regular", size: 7.5, color: colors.muted };
const heading: Style = { ...strong, size: 10 };

const columns = 3;
const inset = 16;
const headingHeight = heightOf(1, heading) + 6;
const rowHeight = heightOf(1, label) + heightOf(1, strong) + 9;
/** Points between the totals and the box: the preferred distance, and the smallest one at the end of a page. */
const gap = { wanted: 26, least: 12 } as const;

/** The least height in points that the box needs below the totals. */
export function roomForPayment(payment: BoxView): number {
  return gap.least + heightOfBox(payment);
}

/** Tinted, so that the customer finds the payment details immediately. */
export function drawPayment(sheet: Sheet, payment: BoxView): void {
  const height = heightOfBox(payment);
  if (sheet.fits(gap.least + height)) {
    sheet.y = Math.min(sheet.y + gap.wanted, frame.bottom - height);
  } else {
    sheet.addPage();
  }
  const top = sheet.y;
  sheet.artifact("Layout", () => {
    const box = sheet.doc.roundedRect(frame.left, top, frame.right - frame.left, height, 4);
    // The mark across a draft has to stay readable, so its box is only outlined.
    if (sheet.view.draft_mark === null) box.fill(colors.tint);
    else box.lineWidth(0.75).stroke(colors.rule);
  });
  const cell = (frame.right - frame.left - 2 * inset) / columns;
  let y = top + inset;
  sheet.element(sheet.root, "H2", () => {
    sheet.put(payment.heading, frame.left + inset, y + heading.size - 2, heading);
  });
  y += headingHeight;
  for (const row of rowsOf(payment)) {
    row.forEach((fact, index) => {
      drawFact(sheet, sheet.root, fact, frame.left + inset + index * cell, y, cell - 10);
    });
    y += rowHeight;
  }
  sheet.y = top + height;
}

function heightOfBox(payment: BoxView): number {
  return inset + headingHeight + rowsOf(payment).length * rowHeight + inset - 11;
}

function rowsOf({ facts }: BoxView): FactView[][] {
  const rows: FactView[][] = [];
  for (const fact of facts) {
    const last = rows.at(-1);
    if (last === undefined || last.length === columns) rows.push([fact]);
    else last.push(fact);
  }
  return rows;
}

/** A label above its value, set smaller when it would not fit: an account number is never cut. */
function drawFact(
  sheet: Sheet,
  parent: Element,
  fact: FactView,
  x: number,
  y: number,
  width: number,
): void {
  const wanted: Style = { ...strong, tabular: true };
  const size = Math.min(wanted.size, (wanted.size * width) / sheet.width(fact.value, wanted));
  sheet.element(parent, "P", () => {
    sheet.put(`${fact.label} `, x, y + label.size, label);
    sheet.put(fact.value, x, y + heightOf(1, label) + wanted.size + 1, { ...wanted, size });
  });
}
