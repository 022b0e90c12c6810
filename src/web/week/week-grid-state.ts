/** The pure state of the week. Changes are stored one after another. `nextSave` is the next request to the server. */
import type { CellEntry, CellRights } from "../../domain/work/cell.ts";
import type { DecimalSign } from "../../domain/work/typed-hours.ts";
import { firstReason, type Refused } from "../browser/send.ts";
import {
  type Cell,
  type CellFault,
  cellFrom,
  entriesOf,
  isToSave,
  knownFrom,
  leave,
  lockOf,
  refusedAs,
  renamed,
  type SentEntry,
  savedAs,
  saying,
  sumOf,
  takenBack,
  withWanted,
} from "./week-grid-cell.ts";

/** A cell as the server sends it. An absent field means no registrations, or no lock. */
export interface SentCell {
  readonly registered?: readonly SentEntry[];
  readonly rights?: CellRights;
}

const OPEN: CellRights = { change: null, remove: null };

/** A line as the server sends it; amounts are decimal text. */
export interface SentLine {
  readonly line_id: string;
  readonly customer: string;
  readonly name: string;
  /** The text below the name: the kind of the line, its dates or its rate. */
  readonly about: string;
  /** The price of an hour, in 1/10000 of a unit; null unless the line is by hours. */
  readonly rate: string | null;
  /** The discount in 1/100 of a percent. */
  readonly discount: number;
  readonly currency: string;
  /** The used and agreed hours in 1/100 of an hour; the budget is a fraction. */
  readonly budget: { readonly used: string; readonly part: string; readonly whole: string } | null;
  readonly issued: { readonly on: string | null; readonly number: string | null } | null;
  /** The names of the line's assignees. */
  readonly people: string;
  readonly is_shown: boolean;
  readonly is_of_last_week: boolean;
  readonly cells: readonly SentCell[];
}

export interface WeekRow {
  readonly line: SentLine;
  readonly is_shown: boolean;
  readonly cells: readonly Cell[];
}

/** A row and a day, both counted from 0. */
export interface GridPlace {
  readonly row: number;
  readonly day: number;
}

interface Save {
  readonly place: GridPlace;
  readonly entries: readonly CellEntry[];
}

export interface WeekState {
  readonly decimal: DecimalSign;
  readonly rows: readonly WeekRow[];
  readonly at: GridPlace;
  /** Whether copying takes the whole row. */
  readonly selects_row: boolean;
  /** The cells to store, in the order in which they were left. */
  readonly queue: readonly GridPlace[];
  readonly sending: Save | null;
  /** Whether the last save got no response. */
  readonly is_lost: boolean;
  /** The content of cells before each action. */
  readonly undo: readonly (readonly Save[])[];
  /** The number of locked cells in the last paste. */
  readonly skipped: number;
}

export interface SavedAnswer {
  readonly saved: boolean;
  readonly registered: readonly SentEntry[];
}

export type WeekEvent =
  | { readonly kind: "go"; readonly to: GridPlace; readonly selects_row?: boolean }
  | { readonly kind: "type" | "note"; readonly text: string }
  | { readonly kind: "leave" | "escape" | "undo" | "show_last_week" }
  | { readonly kind: "say"; readonly said: Partial<Cell["blank"]> }
  | { readonly kind: "step"; readonly at: GridPlace; readonly by: bigint }
  | { readonly kind: "paste"; readonly texts: readonly (readonly string[])[] }
  | { readonly kind: "show"; readonly line_id: string }
  | { readonly kind: "choose"; readonly whose: "remote" | "mine" }
  | { readonly kind: "restore"; readonly place: GridPlace; readonly cell: Cell }
  | SaveEvent;

type SaveEvent =
  | { readonly kind: "sending"; readonly save: Save }
  | { readonly kind: "lost" }
  | { readonly kind: "again" }
  | { readonly kind: "done"; readonly answer: SavedAnswer }
  | { readonly kind: "refused"; readonly refused: Refused };

const MOST_UNDONE = 500;

export function weekFrom(lines: readonly SentLine[], decimal: DecimalSign, day: number): WeekState {
  const rows = lines.map((line) => ({
    line,
    is_shown: line.is_shown,
    cells: line.cells.map(({ registered = [], rights = OPEN }) => cellFrom(registered, rights)),
  }));
  return {
    decimal,
    rows,
    at: {
      row: Math.max(
        0,
        rows.findIndex((one) => one.is_shown),
      ),
      day,
    },
    selects_row: false,
    queue: [],
    sending: null,
    is_lost: false,
    undo: [],
    skipped: 0,
  };
}

export function cellAt({ rows }: WeekState, { row, day }: GridPlace): Cell | undefined {
  return rows[row]?.cells[day];
}

/** Returns the sum of a day. */
export function sumOfDay({ rows }: WeekState, day: number): bigint {
  return rows.reduce((sum, { cells }) => sum + sumAt(cells[day]), 0n);
}

function sumAt(cell: Cell | undefined): bigint {
  return cell === undefined ? 0n : sumOf(cell);
}

/** Returns the position a number of shown lines below and days to the right, within the grid. */
export function placeBeside({ rows, at }: WeekState, down: number, right: number): GridPlace {
  const shown = rows.flatMap(({ is_shown }, row) => (is_shown ? [row] : []));
  const index = Math.min(Math.max(shown.indexOf(at.row) + down, 0), shown.length - 1);
  return { row: shown[index] ?? at.row, day: Math.min(Math.max(at.day + right, 0), 6) };
}

/** Returns the number of cells that are not stored yet, without the text that is being typed. */
export function unsavedIn({ rows, at }: WeekState): number {
  const isUnsaved = (cell: Cell, row: number, day: number): boolean =>
    cell.wanted !== null ||
    (cell.noted !== null && (row !== at.row || day !== at.day)) ||
    (cell.typed !== null && (cell.fault !== null || row !== at.row || day !== at.day));
  return rows.reduce(
    (count, { cells }, row) =>
      count + cells.filter((cell, day) => isUnsaved(cell, row, day)).length,
    0,
  );
}

/** Returns the next request to the server: one at a time, in the order of the actions. */
export function nextSave(state: WeekState): Save | null {
  const [place] = state.queue;
  if (state.sending !== null || state.is_lost || place === undefined) return null;
  return { place, entries: cellAt(state, place)?.wanted ?? [] };
}

export function weekAfter(state: WeekState, event: WeekEvent): WeekState {
  switch (event.kind) {
    case "go":
      return wentTo(state, event.to, event.selects_row ?? false);
    case "type":
      return changed(state, [[state.at, (cell) => ({ ...cell, typed: event.text, fault: null })]]);
    case "note":
      return changed(state, [[state.at, (cell) => ({ ...cell, noted: event.text })]]);
    case "leave":
      return leftAt(state, state.at);
    case "escape":
      return changed(wentTo(state, state.at, false), [[state.at, takenBack]]);
    case "say":
      return changed(state, [[state.at, (cell) => saying(cell, event.said)]], true);
    case "step":
      return stepped(wentTo(state, event.at, false), event.by);
    case "paste":
      return pasted(state, event.texts);
    case "undo":
      return undone(state);
    case "show":
      return shown(state, ({ line }) => line.line_id === event.line_id);
    case "show_last_week":
      return shown(state, ({ line }) => line.is_of_last_week);
    case "choose":
      return chosen(state, event.whose);
    case "restore":
      return changed(state, [[event.place, () => event.cell]]);
    default:
      return afterSave(state, event);
  }
}

function afterSave(state: WeekState, event: SaveEvent): WeekState {
  const { sending } = state;
  if (event.kind === "sending") {
    const { place, entries } = event.save;
    return changed({ ...state, sending: event.save }, [
      [place, (cell) => ({ ...cell, sent: entries })],
    ]);
  }
  if (event.kind === "again") return { ...state, is_lost: false };
  if (event.kind === "lost") return { ...state, sending: null, is_lost: true };
  if (sending === null) return state;
  const { place, entries } = sending;
  const answered = { ...state, sending: null, is_lost: false };
  if (event.kind === "refused") {
    const fault = faultFrom(event.refused, entries);
    return changed(answered, [[place, (cell) => refusedAs(cell, entries, fault)]]);
  }
  const known = event.answer.registered.map(knownFrom);
  if (!event.answer.saved)
    return changed(answered, [[place, (cell) => ({ ...cell, sent: null, remote: known })]]);
  const undo = state.undo.map((group) =>
    group.map((one) =>
      isSamePlace(one.place, place)
        ? { place, entries: renamed(one.entries, entries, known) }
        : one,
    ),
  );
  return changed({ ...answered, undo }, [[place, (cell) => savedAs(cell, entries, known)]]);
}

function faultFrom(refused: Refused, entries: readonly CellEntry[]): CellFault {
  const { code, details } = refused;
  if (code === "DAILY_HOURS_EXCEEDED" && typeof details.registered === "number") {
    const others = BigInt(Math.round(details.registered * 100));
    return { kind: "too_much", hours: others + (entries.at(-1)?.hours ?? 0n) };
  }
  return { kind: "refused", refusal: firstReason(refused) };
}

/** Changes cells, each by a function of its content. With `is_own` the person can undo the change. */
function changed(
  state: WeekState,
  changes: readonly (readonly [GridPlace, (cell: Cell) => Cell])[],
  is_own = false,
): WeekState {
  const rows = [...state.rows];
  let { queue } = state;
  let is_changed = false;
  const before: Save[] = [];
  for (const [place, change] of changes) {
    const row = rows[place.row];
    const cell = row?.cells[place.day];
    if (row === undefined || cell === undefined) continue;
    const after = change(cell);
    if (after === cell) continue;
    is_changed = true;
    rows[place.row] = { ...row, cells: row.cells.with(place.day, after) };
    if (is_own && entriesOf(after) !== entriesOf(cell))
      before.push({ place, entries: entriesOf(cell) });
    const others = queue.filter((one) => !isSamePlace(one, place));
    const is_queued = others.length < queue.length;
    if (!isToSave(after)) queue = others;
    else if (!is_queued) queue = [...queue, place];
  }
  if (!is_changed) return state;
  const undo = before.length === 0 ? state.undo : [...state.undo, before].slice(-MOST_UNDONE);
  return { ...state, rows, queue, undo };
}

function isSamePlace(a: GridPlace, b: GridPlace): boolean {
  return a.row === b.row && a.day === b.day;
}

function othersAt(state: WeekState, place: GridPlace): bigint {
  return sumOfDay(state, place.day) - sumAt(cellAt(state, place));
}

function leftAt(state: WeekState, place: GridPlace): WeekState {
  const { decimal } = state;
  return changed(state, [[place, (cell) => leave(cell, othersAt(state, place), decimal)]], true);
}

function wentTo(state: WeekState, to: GridPlace, selects_row: boolean): WeekState {
  const is_same = isSamePlace(state.at, to);
  if (is_same && state.selects_row === selects_row) return state;
  const left = is_same ? state : leftAt(state, state.at);
  return { ...left, at: to, selects_row, skipped: 0 };
}

function stepped(state: WeekState, by: bigint): WeekState {
  const left = leftAt(state, state.at);
  const cell = cellAt(left, left.at);
  if (cell === undefined || cell.typed !== null) return left;
  const sum = sumOf(cell) + by;
  const text = hoursText(sum < 0n ? 0n : sum);
  return leftAt(changed(left, [[left.at, (one) => ({ ...one, typed: text })]]), left.at);
}

/** Formats hours as a person would type them, with a point: before two decimals, both signs are read as the decimal sign. */
function hoursText(hours: bigint): string {
  return `${hours / 100n}.${`${hours % 100n}`.padStart(2, "0")}`;
}

/** Pastes a block from the current cell on, or a whole row from Monday on. Empty texts in it change nothing. */
function pasted(state: WeekState, texts: readonly (readonly string[])[]): WeekState {
  const { at, selects_row, undo } = state;
  const first = selects_row || (texts[0]?.length ?? 0) >= 7 ? 0 : at.day;
  let after: WeekState = { ...state, undo: [] };
  let skipped = 0;
  for (const [down, line] of texts.entries()) {
    const { row } = placeBeside(state, down, 0);
    if (down > 0 && row === placeBeside(state, down - 1, 0).row) break;
    for (const [right, text] of line.entries()) {
      const place = { row, day: first + right };
      const cell = cellAt(after, place);
      if (cell === undefined || text.trim() === "") continue;
      if (lockOf(cell) !== null) skipped += 1;
      else {
        const typed = changed(after, [[place, (one) => ({ ...one, typed: text.trim() })]]);
        after = leftAt(typed, place);
      }
    }
  }
  // The whole paste is one action, which is undone in one step.
  const together = after.undo.flat();
  return { ...after, skipped, undo: together.length === 0 ? undo : [...undo, together] };
}

function undone(state: WeekState): WeekState {
  const group = state.undo.at(-1);
  if (group === undefined) return state;
  const back = changed(
    state,
    group.map(({ place, entries }) => [place, (cell: Cell) => withWanted(cell, entries)] as const),
  );
  return { ...back, undo: state.undo.slice(0, -1), at: group[0]?.place ?? state.at };
}

function shown(state: WeekState, isShown: (row: WeekRow) => boolean): WeekState {
  const row = state.rows.findIndex((one) => !one.is_shown && isShown(one));
  if (row === -1) return state;
  const rows = state.rows.map((one) => (isShown(one) ? { ...one, is_shown: true } : one));
  return { ...wentTo(state, { row, day: state.at.day }, false), rows };
}

function chosen(state: WeekState, whose: "remote" | "mine"): WeekState {
  return changed(state, [
    [
      state.at,
      (cell) =>
        whose === "remote" || cell.remote === null
          ? takenBack({ ...cell, typed: null })
          : { ...cell, known: cell.remote, remote: null },
    ],
  ]);
}
