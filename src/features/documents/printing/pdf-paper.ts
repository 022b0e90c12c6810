/** The parts that all papers share: heading, seller with logo, both parties with the facts of the document, and the feet. */
import { drawLogo } from "./pdf-logo.ts";
import { colors, frame, heightOf, type Sheet, type Style } from "./pdf-sheet.ts";
import type { FactView, PartyView } from "./view-parts.ts";

const body: Style = { font: "regular", size: 9, color: colors.text };
const strong: Style = { ...body, font: "semibold" };
const muted: Style = { ...body, color: colors.muted };
const label: Style = { font: "regular", size: 7.5, color: colors.muted };
const partyName: Style = { ...strong, size: 10.5 };

/** The most lines of a text that are kept together. */
const MOST_TOGETHER = 12;

/** Left edge of the right-hand column: the seller and the facts of the document. */
const aside = 342;

/** The heading on the left, or the mark of a draft in its place, and the seller with the logo on the right. */
export function drawTop(sheet: Sheet, logo: Buffer | null): void {
  const { view } = sheet;
  const top = sheet.y;
  const heading: Style = { font: "semibold", size: 25, color: sheet.accent };
  let left = top;
  const paragraph = (type: string, text: string, style: Style, space: number) => {
    const lines = sheet.wrap(text, aside - frame.left - 24, style);
    const from = left + space;
    sheet.element(sheet.root, type, () => {
      drawLinesOfText(sheet, lines, frame.left, from, style);
    });
    left = from + heightOf(lines.length, style);
  };
  if (view.draft_mark === null) {
    paragraph("H1", view.heading, heading, -5);
  } else {
    paragraph("H1", view.draft_mark, { font: "bold", size: 38, color: colors.draft }, -9);
    paragraph("P", view.heading, { ...heading, size: 15 }, 0);
    if (view.draft_note !== null) {
      paragraph("P", view.draft_note, { ...body, color: colors.draft }, 2);
    }
  }
  if (view.credits !== null) paragraph("P", view.credits, { ...body, size: 10 }, 2);
  const under = logo === null ? top : drawLogo(sheet, logo, aside, top);
  const right = drawParty(sheet, view.seller, aside, under);
  sheet.y = Math.max(left, right, top + 84) + 28;
}

/** The text under the lines, as it was entered; a short one on one page, a long one over as many as needed. */
export function drawNotes(sheet: Sheet, notes: string): void {
  sheet.y += 24;
  const paragraphs = notes
    .split("\n")
    .map((text) => sheet.wrap(text, frame.right - frame.left, body));
  const count = paragraphs.flat().length;
  if (count <= MOST_TOGETHER && !sheet.fits(heightOf(count, body))) sheet.addPage();
  for (const lines of paragraphs) {
    sheet.flow(sheet.element(sheet.root, "P"), lines, body);
  }
}

/** The customer on the left and the facts of the document on the right; under them the title, if there is one. */
export function drawParties(sheet: Sheet): void {
  const top = sheet.y;
  const left = drawParty(sheet, sheet.view.customer, frame.left, top);
  let right = top;
  const values = aside + 16 + widest(sheet, sheet.view.meta);
  for (const fact of sheet.view.meta) {
    const lines = sheet.wrap(fact.value, frame.right - values, body);
    const from = right;
    sheet.element(sheet.root, "P", () => {
      sheet.put(`${fact.label} `, aside, from + body.size, muted);
      drawLinesOfText(sheet, lines, values, from, body);
    });
    right += heightOf(lines.length, body) + 2.5;
  }
  sheet.y = Math.max(left, right) + 34;
  if (sheet.view.title !== null) drawTitle(sheet, sheet.view.title);
}

/** A block of name and lines. Returns its bottom. */
function drawParty(sheet: Sheet, party: PartyView, x: number, top: number): number {
  const width = x < aside ? aside - x - 24 : frame.right - x;
  const names = sheet.wrap(party.name, width, partyName);
  const lines = party.lines.flatMap((line) => sheet.wrap(line, width, body));
  const style = x < aside ? body : muted;
  let y = top;
  sheet.element(sheet.root, "P", () => {
    if (party.label !== "") {
      sheet.put(`${party.label} `, x, y + label.size, label);
      y += heightOf(1, label) + 3;
    }
    drawLinesOfText(sheet, names, x, y, partyName);
    y += heightOf(names.length, partyName) + 1;
    drawLinesOfText(sheet, lines, x, y, style);
    y += heightOf(lines.length, style);
  });
  return y;
}

function drawTitle(sheet: Sheet, title: string): void {
  const style: Style = { font: "semibold", size: 11.5, color: colors.text };
  const lines = sheet.wrap(title, frame.right - frame.left, style);
  sheet.element(sheet.root, "H2", () => {
    drawLinesOfText(sheet, lines, frame.left, sheet.y, style);
  });
  sheet.y += heightOf(lines.length, style) + 14;
}

/** The seller and the page number below each page, and the heading above each page except the first. */
export function drawFeet(sheet: Sheet): void {
  const { view, doc } = sheet;
  const pages = doc.bufferedPageRange().count;
  const small: Style = { ...label, size: 7 };
  for (let page = 0; page < pages; page += 1) {
    doc.switchToPage(page);
    sheet.rule(frame.left, frame.right, 792, colors.rule, 0.5);
    sheet.artifact("Pagination", () => {
      const number = view.page_number
        .replace("{page}", String(page + 1))
        .replace("{pages}", String(pages));
      const room = frame.right - frame.left - sheet.width(number, small) - 24;
      const lines = sheet.wrap(view.footer, room, small).slice(0, 2);
      drawLinesOfText(sheet, lines, frame.left, 799, small);
      sheet.putRight(number, frame.right, 799 + small.size, small);
      if (page === 0) return;
      const name = view.draft_mark === null ? view.heading : `${view.draft_mark}: ${view.heading}`;
      const color = view.draft_mark === null ? colors.muted : colors.draft;
      sheet.put(name, frame.left, 36, { ...label, font: "semibold", color });
      const seller = sheet.wrap(view.seller.name, 260, label)[0] ?? "";
      sheet.putRight(seller, frame.right, 36, label);
    });
  }
  doc.switchToPage(pages - 1);
}

/** Each line ends with a space, because otherwise screen readers join its last word to the next one. */
function drawLinesOfText(
  sheet: Sheet,
  lines: readonly string[],
  x: number,
  top: number,
  style: Style,
): void {
  lines.forEach((line, index) => {
    sheet.put(`${line} `, x, top + style.size + heightOf(index, style), style);
  });
}

function widest(sheet: Sheet, facts: readonly FactView[]): number {
  return Math.max(0, ...facts.map((fact) => sheet.width(fact.label, muted)));
}
