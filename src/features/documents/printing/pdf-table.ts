/**
 * The table of lines. Columns fit their numbers, so that none is wrapped or cut; the text takes the remaining width.
 * The head repeats on each page, and a line stays together unless it is longer than a page.
 */
import { colors, type Element, frame, heightOf, type Sheet, type Style } from "./pdf-sheet.ts";
import type { TableView } from "./view-parts.ts";

const gap = 14;
const padding = 5;
/** With a narrower text column the whole table is set smaller. */
const narrowestText = 150;

interface Layout {
  readonly table: TableView;
  /** Left and right edge of each column. */
  readonly edges: readonly { readonly left: number; readonly right: number }[];
  readonly text: Style;
  readonly number: Style;
  readonly note: Style;
  readonly head: Style;
}

type Line = TableView["lines"][number];

/** Draws the table from the cursor on, over as many pages as needed. */
export function drawLines(sheet: Sheet, table: TableView): void {
  const layout = layoutOf(sheet, table);
  const element = sheet.element(sheet.root, "Table");
  drawHead(sheet, layout, element);
  for (const line of table.lines) drawLine(sheet, layout, element, line);
  sheet.y += 2;
}

function layoutOf(sheet: Sheet, table: TableView): Layout {
  const sizes = [9, 8, 7, 6];
  let layout = layoutAt(sheet, table, 5);
  for (const size of sizes) {
    layout = layoutAt(sheet, table, size);
    const text = layout.edges[0];
    if (text !== undefined && text.right - text.left >= narrowestText) break;
  }
  return layout;
}

function layoutAt(sheet: Sheet, table: TableView, size: number): Layout {
  const text: Style = { font: "regular", size, color: colors.text };
  const number: Style = { ...text, tabular: true };
  const note: Style = { ...text, size: size - 1, color: colors.muted };
  const head: Style = { font: "semibold", size: size - 1.5, color: colors.muted };
  const widths = table.columns.slice(1).map((column, index) => {
    const cells = table.lines.flatMap((line) => line.rows.map((row) => row[index] ?? ""));
    const style = column.numeric ? number : text;
    const longest = new Set(longestOf(cells, column.numeric));
    const content = [...longest].map((cell) => sheet.width(cell, style));
    return Math.min(200, Math.max(sheet.width(column.label, head), ...content));
  });
  const edges: { left: number; right: number }[] = [];
  let right: number = frame.right;
  for (const width of widths.toReversed()) {
    edges.unshift({ left: right - width, right });
    right -= width + gap;
  }
  const left = frame.left + leadWidth(sheet, table, text, head);
  edges.unshift({ left, right: Math.max(right, left + 60) });
  return { table, edges, text, number, note, head };
}

/** The width of the column in front of the text with its gap; 0 without one. */
function leadWidth(sheet: Sheet, { lead, lines }: TableView, text: Style, head: Style): number {
  if (lead === undefined) return 0;
  const cells = new Set(lines.map((line) => line.lead ?? ""));
  const widths = [...cells].map((cell) => sheet.width(cell, text));
  return Math.max(sheet.width(lead, head), ...widths) + gap;
}

/** Tabular digits have equal widths, so only the numbers with the most characters are measured. */
function longestOf(cells: readonly string[], numeric: boolean): readonly string[] {
  if (!numeric) return cells;
  const most = cells.reduce((length, cell) => Math.max(length, cell.length), 0);
  return cells.filter((cell) => cell.length === most);
}

/** The head is a row of the table once; on later pages it is repeated as an artifact. */
function drawHead(sheet: Sheet, layout: Layout, element: Element | null): void {
  const baseline = sheet.y + layout.head.size;
  const row = element === null ? null : sheet.element(element, "TR");
  const head = (draw: () => void) => {
    if (row === null) sheet.artifact("Pagination", draw);
    else sheet.element(row, "TH", draw, "Column");
  };
  const { lead } = layout.table;
  if (lead !== undefined) head(() => sheet.put(lead, frame.left, baseline, layout.head));
  layout.table.columns.forEach((column, index) => {
    head(() => place(sheet, layout, index, column.label, baseline, layout.head));
  });
  sheet.y += heightOf(1, layout.head) + 4;
  sheet.rule(frame.left, frame.right, sheet.y, sheet.accent, 0.75);
  sheet.y += padding;
}

function drawLine(sheet: Sheet, layout: Layout, table: Element, line: Line): void {
  const { text, note } = layout;
  const left = layout.edges[0]?.left ?? frame.left;
  const room = line.rows.length === 0 ? frame.right - left : textWidth(layout);
  const rows: { value: string; style: Style }[] = [
    ...sheet.wrap(line.text, room, text).map((value) => ({ value, style: text })),
    ...(line.note === null ? [] : sheet.wrap(line.note, room, note)).map((value) => ({
      value,
      style: note,
    })),
  ];
  const count = Math.max(rows.length, line.rows.length);
  const pageful = frame.bottom - frame.top - 60;
  const height = heightOf(count, text) + 2 * padding;
  if (!sheet.fits(height) && (height <= pageful || !sheet.fits(heightOf(3, text)))) {
    breakPage(sheet, layout);
  }
  let row = sheet.element(table, "TR");
  const { lead = "" } = line;
  const first = layout.table.lead === undefined ? null : sheet.element(row, "TD");
  const words = sheet.element(row, "TD");
  for (let index = 0; index < count; index += 1) {
    if (!sheet.fits(heightOf(1, text) + padding)) breakPage(sheet, layout);
    const baseline = sheet.y + text.size;
    const cells = line.rows[index];
    if (index === 0) first?.add(() => sheet.put(`${lead} `, frame.left, baseline, text));
    if (index > 0 && cells !== undefined) {
      row = sheet.element(table, "TR");
      sheet.element(row, "TD");
    }
    const written = rows[index];
    if (written !== undefined) {
      words.add(() => sheet.put(`${written.value} `, left, baseline, written.style));
    }
    cells?.forEach((value, column) => {
      const style = layout.table.columns[column + 1]?.numeric ? layout.number : text;
      sheet.element(row, "TD", () => place(sheet, layout, column + 1, value, baseline, style));
    });
    sheet.y += heightOf(1, text);
  }
  sheet.y += padding;
  sheet.rule(frame.left, frame.right, sheet.y, colors.rule, 0.5);
  sheet.y += padding;
}

function breakPage(sheet: Sheet, layout: Layout): void {
  sheet.addPage();
  drawHead(sheet, layout, null);
}

function place(
  sheet: Sheet,
  layout: Layout,
  column: number,
  value: string,
  baseline: number,
  style: Style,
): void {
  const edges = layout.edges[column] ?? { left: frame.left, right: frame.right };
  if (layout.table.columns[column]?.numeric) sheet.putRight(value, edges.right, baseline, style);
  else sheet.put(value, edges.left, baseline, style);
}

function textWidth(layout: Layout): number {
  const edges = layout.edges[0];
  return edges === undefined ? frame.right - frame.left : edges.right - edges.left;
}
