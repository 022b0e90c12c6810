/**
 * The specification of hours, on separate pages: a table for each line that bills hours, with its heading and
 * column names repeated on each page. A registration is kept together unless it is longer than
 * a page. Sums of days have no texts, and no column for them.
 */
import { colors, type Element, frame, heightOf, type Sheet, type Style } from "./pdf-sheet.ts";
import type { HoursView } from "./view.ts";

const text: Style = { font: "regular", size: 8.5, color: colors.text };
const number: Style = { ...text, tabular: true };
const strong: Style = { ...text, font: "semibold" };
const strongNumber: Style = { ...strong, tabular: true };
const head: Style = { font: "semibold", size: 7, color: colors.muted };
const groupHeading: Style = { ...strong, size: 10 };

const gap = 14;
const padding = 3;
/** The widest name before it is wrapped. */
const widestUser = 110;

type Group = HoursView["groups"][number];
type Row = Group["rows"][number];

interface Layout {
  readonly columns: HoursView["columns"];
  readonly user: { readonly left: number; readonly width: number };
  readonly note: { readonly left: number; readonly width: number };
}

/** Draws the hours, on a new page unless `is_first`: then the page that the caller has added is theirs. */
export function drawHours(sheet: Sheet, hours: HoursView, is_first = false): void {
  const layout = layoutOf(sheet, hours);
  if (!is_first) sheet.addPage();
  const title: Style = { font: "semibold", size: 15, color: sheet.accent };
  sheet.element(sheet.root, "H2", () => {
    sheet.put(hours.heading, frame.left, sheet.y + title.size, title);
  });
  sheet.y += heightOf(1, title) + 12;
  if (hours.remark !== null) drawRemark(sheet, hours.remark);
  for (const group of hours.groups) drawGroup(sheet, layout, group);
  if (hours.total === null) return;
  const height = heightOf(1, groupHeading) + padding;
  if (!sheet.fits(height)) sheet.addPage();
  const { label, value } = hours.total;
  const baseline = sheet.y + groupHeading.size;
  sheet.element(sheet.root, "P", () => {
    sheet.put(`${label} `, frame.left, baseline, groupHeading);
    sheet.putRight(value, frame.right, baseline, { ...groupHeading, tabular: true });
  });
  sheet.y += height;
}

function drawRemark(sheet: Sheet, remark: string): void {
  const lines = sheet.wrap(remark, frame.right - frame.left, text);
  sheet.flow(sheet.element(sheet.root, "P"), lines, text);
  sheet.y += 12;
}

function layoutOf(sheet: Sheet, { columns, groups }: HoursView): Layout {
  const rows = groups.flatMap((group) => group.rows);
  const widest = (label: string, cells: readonly string[], style: Style): number => {
    const widths = [...new Set(cells)].map((cell) => sheet.width(cell, style));
    return widths.reduce((most, width) => Math.max(most, width), sheet.width(label, head));
  };
  const date = widest(
    columns.date,
    rows.map((row) => row.date),
    text,
  );
  const user = Math.min(
    widestUser,
    widest(
      columns.user,
      rows.map((row) => row.user),
      text,
    ) + 1,
  );
  const sums = groups.map((group) => group.sum.value);
  const amount = widest(columns.hours, [...rows.map((row) => row.hours), ...sums], strongNumber);
  const user_left = frame.left + date + gap;
  const note_left = user_left + user + gap;
  return {
    columns,
    user: { left: user_left, width: user },
    note: { left: note_left, width: frame.right - amount - gap - note_left },
  };
}

function drawGroup(sheet: Sheet, layout: Layout, group: Group): void {
  const headings = sheet.wrap(group.heading, frame.right - frame.left, groupHeading);
  const room = heightOf(headings.length, groupHeading) + 2 * heightOf(1, head) + heightOf(3, text);
  if (!sheet.fits(Math.min(room, frame.bottom - frame.top))) sheet.addPage();
  sheet.flow(sheet.element(sheet.root, "H3"), headings, groupHeading);
  sheet.y += 5;
  const table = sheet.element(sheet.root, "Table");
  drawHead(sheet, layout, table);
  for (const row of group.rows) drawRow(sheet, layout, group, table, row);
  if (!sheet.fits(heightOf(1, strong) + padding)) breakPage(sheet, layout, group);
  const baseline = sheet.y + strong.size;
  const row = sheet.element(table, "TR");
  sheet.element(row, "TD", () => sheet.put(`${group.sum.label} `, frame.left, baseline, strong));
  sheet.element(row, "TD");
  if (layout.columns.note !== null) sheet.element(row, "TD");
  sheet.element(row, "TD", () => {
    sheet.putRight(group.sum.value, frame.right, baseline, strongNumber);
  });
  sheet.y += heightOf(1, strong) + 18;
}

/** The head is a row of the table once; on later pages it is repeated as an artifact. */
function drawHead(sheet: Sheet, layout: Layout, table: Element | null): void {
  const baseline = sheet.y + head.size;
  const { date, user, note, hours } = layout.columns;
  const row = table === null ? null : sheet.element(table, "TR");
  const cell = (draw: () => void) => {
    if (row === null) sheet.artifact("Pagination", draw);
    else sheet.element(row, "TH", draw, "Column");
  };
  cell(() => sheet.put(date, frame.left, baseline, head));
  cell(() => sheet.put(user, layout.user.left, baseline, head));
  if (note !== null) cell(() => sheet.put(note, layout.note.left, baseline, head));
  cell(() => sheet.putRight(hours, frame.right, baseline, head));
  sheet.y += heightOf(1, head) + 3;
  sheet.rule(frame.left, frame.right, sheet.y, sheet.accent, 0.75);
  sheet.y += padding;
}

function drawRow(sheet: Sheet, layout: Layout, group: Group, table: Element, row: Row): void {
  const users = sheet.wrap(row.user, layout.user.width, text);
  const notes = sheet.wrap(row.note, layout.note.width, text);
  const count = Math.max(users.length, notes.length);
  const pageful = frame.bottom - frame.top - 60;
  const height = heightOf(count, text) + 2 * padding;
  if (!sheet.fits(height) && (height <= pageful || !sheet.fits(heightOf(3, text)))) {
    breakPage(sheet, layout, group);
  }
  const element = sheet.element(table, "TR");
  const cell = () => sheet.element(element, "TD");
  const cells = {
    date: cell(),
    user: cell(),
    note: layout.columns.note === null ? null : cell(),
    hours: cell(),
  };
  for (let index = 0; index < count; index += 1) {
    if (!sheet.fits(heightOf(1, text) + padding)) breakPage(sheet, layout, group);
    const baseline = sheet.y + text.size;
    const [user, note] = [users[index] ?? "", notes[index] ?? ""];
    if (index === 0) {
      cells.date.add(() => sheet.put(`${row.date} `, frame.left, baseline, text));
      cells.hours.add(() => sheet.putRight(row.hours, frame.right, baseline, number));
    }
    if (user !== "") cells.user.add(() => sheet.put(`${user} `, layout.user.left, baseline, text));
    if (note !== "") cells.note?.add(() => sheet.put(`${note} `, layout.note.left, baseline, text));
    sheet.y += heightOf(1, text);
  }
  sheet.y += padding;
  sheet.rule(frame.left, frame.right, sheet.y, colors.rule, 0.5);
  sheet.y += padding;
}

function breakPage(sheet: Sheet, layout: Layout, group: Group): void {
  sheet.addPage();
  const [heading = ""] = sheet.wrap(group.continued, frame.right - frame.left, groupHeading);
  sheet.artifact("Pagination", () => {
    sheet.put(heading, frame.left, sheet.y + groupHeading.size, groupHeading);
  });
  sheet.y += heightOf(1, groupHeading) + 5;
  drawHead(sheet, layout, null);
}
