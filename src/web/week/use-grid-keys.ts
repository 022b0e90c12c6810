/** Handles keys, focus and clipboard of the grid: each is converted to an event of the state. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useReader } from "../frame/reader.ts";
import type { Language } from "../words/words.ts";
import { NOTE_FIELD } from "./week-grid-bar.tsx";
import { saidOf } from "./week-grid-cell.ts";
import { segmentsOf, shownIn } from "./week-grid-row.tsx";
import {
  cellAt,
  type GridPlace,
  placeBeside,
  type WeekEvent,
  type WeekState,
  weekAfter,
} from "./week-grid-state.ts";

interface Ways {
  readonly before: string;
  readonly after: string;
  readonly now: string;
  leave(address: string): void;
  /** Offers the lines that are not shown. */
  add(): void;
}

/** The data of the handlers: the current state, and the state of the input. */
interface Hands {
  readonly now: { readonly current: WeekState };
  readonly dispatch: (event: WeekEvent) => void;
  readonly grid: RefObject<HTMLTableElement | null>;
  readonly ways: Ways;
  readonly language: Language;
  /** Whether the focus must move to the current cell. */
  readonly follows: { current: boolean };
  /** Whether F2 was pressed: then arrow keys move within the text. */
  readonly edits: { current: boolean };
}

/** Returns the handlers of the table, and `follow`, which returns the focus to it. */
export function useGridKeys(
  state: WeekState,
  dispatch: Hands["dispatch"],
  grid: Hands["grid"],
  ways: Ways,
) {
  const { language } = useReader();
  const follows = useRef(false);
  const edits = useRef(false);
  const now = useRef(state);
  now.current = state;
  const hands = { now, dispatch, grid, ways, language, follows, edits };

  useLayoutEffect(() => {
    if (!follows.current) return;
    follows.current = false;
    edits.current = false;
    focusOn(grid.current, state.at);
  }, [state]);

  const on = {
    onKeyDown: (event: KeyboardEvent) => {
      const is_done = isLetter(event)
        ? letter(hands, event)
        : command(hands, event) || movement(hands, event);
      if (is_done) event.preventDefault();
    },
    onCopy: (event: ClipboardEvent) => copyRow(hands, event),
    onPaste: (event: ClipboardEvent) => pasteBlock(hands, event),
    onFocusIn: (event: FocusEvent) => focused(hands, event),
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      const is_inside = relatedTarget instanceof Node && grid.current?.contains(relatedTarget);
      if (is_inside) return;
      follows.current = false;
      dispatch({ kind: "leave" });
    },
    onInput: ({ target }: Event) => {
      if (target instanceof HTMLInputElement) dispatch({ kind: "type", text: target.value });
    },
    onClick: (event: MouseEvent) => clicked(hands, event),
  };
  return { on, follow: (event: WeekEvent) => follow(hands, event) };
}

function go(hands: Hands, to: GridPlace, selects_row = false): void {
  follow(hands, { kind: "go", to, selects_row });
}

/** Sends an event and moves the focus to the cell that is current after it. */
function follow({ now, dispatch, grid, follows }: Hands, event: WeekEvent): void {
  // An event without a change renders nothing, so the focus moves directly.
  follows.current = weekAfter(now.current, event) !== now.current;
  if (follows.current) dispatch(event);
  else focusOn(grid.current, now.current.at);
}

/** Handles single keys, while nothing is typed. */
function letter({ now, dispatch, ways, edits }: Hands, { key }: KeyboardEvent): boolean {
  const cell = cellAt(now.current, now.current.at);
  if (cell === undefined || cell.typed !== null || edits.current) return false;
  const does: Readonly<Record<string, () => void>> = {
    n: () => document.getElementById(NOTE_FIELD)?.focus(),
    b: () => dispatch({ kind: "say", said: { billable: !saidOf(cell).billable } }),
    l: ways.add,
    t: () => ways.leave(ways.now),
    "[": () => ways.leave(ways.before),
    "]": () => ways.leave(ways.after),
  };
  const act = does[key.toLowerCase()];
  act?.();
  return act !== undefined;
}

function command(hands: Hands, event: KeyboardEvent): boolean {
  const { now, dispatch } = hands;
  if (!event.ctrlKey && !event.metaKey) return false;
  const key = event.key.toLowerCase();
  if (key === "v" && event.shiftKey) {
    dispatch({ kind: "show_last_week" });
    return true;
  }
  const is_typing = cellAt(now.current, now.current.at)?.typed != null;
  if (key !== "z" || event.shiftKey || is_typing) return false;
  follow(hands, { kind: "undo" });
  return true;
}

function movement(hands: Hands, event: KeyboardEvent): boolean {
  const { now, grid, edits } = hands;
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return false;
  const { at } = now.current;
  switch (key) {
    case " ":
      if (shiftKey) go(hands, at, true);
      return shiftKey;
    case "Escape":
      edits.current = false;
      follow(hands, { kind: "escape" });
      return true;
    case "F2":
      edit(grid.current, at, edits);
      return true;
    case "Enter":
      below(hands);
      return true;
    case "ArrowUp":
    case "ArrowDown":
      go(hands, placeBeside(now.current, key === "ArrowUp" ? -1 : 1, 0));
      return true;
    case "ArrowLeft":
    case "ArrowRight":
      if (!edits.current) go(hands, sideways(now.current, key === "ArrowLeft" ? -1 : 1));
      return !edits.current;
    case "Home":
    case "End":
      if (!edits.current) go(hands, { ...at, day: key === "Home" ? 0 : 6 });
      return !edits.current;
    default:
      return false;
  }
}

function edit(table: HTMLTableElement | null, at: GridPlace, edits: Hands["edits"]): void {
  const field = fieldAt(table, at);
  if (!(field instanceof HTMLInputElement)) return;
  edits.current = true;
  field.setSelectionRange(field.value.length, field.value.length);
}

/** Moves to the next line. On the last one it only leaves the field. */
function below(hands: Hands): void {
  const to = placeBeside(hands.now.current, 1, 0);
  if (to.row === hands.now.current.at.row) hands.dispatch({ kind: "leave" });
  go(hands, to);
}

function copyRow({ now, language }: Hands, event: ClipboardEvent): void {
  const { selects_row, rows, at } = now.current;
  const row = rows[at.row];
  if (!selects_row || row === undefined) return;
  event.preventDefault();
  const text = row.cells.map((cell) => shownIn(cell, language)).join("\t");
  event.clipboardData?.setData("text/plain", text);
}

function pasteBlock(hands: Hands, event: ClipboardEvent): void {
  const text = (event.clipboardData?.getData("text/plain") ?? "").replace(/\r?\n$/, "");
  if (!/[\t\n]/.test(text) && !hands.now.current.selects_row) return;
  event.preventDefault();
  const texts = text.split(/\r?\n/).map((line) => line.split("\t"));
  follow(hands, { kind: "paste", texts });
}

function focused({ now, dispatch }: Hands, { target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const { at } = now.current;
  const to = placeOf(target, at);
  if (to === null) return;
  if (to.row !== at.row || to.day !== at.day) dispatch({ kind: "go", to });
  if (target instanceof HTMLInputElement) target.select();
}

function clicked({ now, dispatch, edits }: Hands, { target, detail }: MouseEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const { step } = target.dataset;
  if (step !== undefined) dispatch({ kind: "step", at: now.current.at, by: BigInt(step) });
  else if (detail > 1) edits.current = true;
  else if (target instanceof HTMLInputElement && !edits.current) target.select();
}

function isLetter({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  // On many keyboards brackets need Ctrl and Alt.
  return /^[[\]]$/.test(key) || (/^[a-zæøå]$/i.test(key) && !ctrlKey && !metaKey);
}

/** Crosses days that are shown as one field in one step. */
function sideways(state: WeekState, by: -1 | 1): GridPlace {
  const row = state.rows[state.at.row];
  const segments = row === undefined ? [] : segmentsOf(row);
  const here = segments.find(({ from, to }) => state.at.day >= from && state.at.day <= to);
  const edge = here === undefined ? state.at.day : by < 0 ? here.from : here.to;
  const day = edge + by;
  return day < 0 || day > 6 ? state.at : { ...state.at, day };
}

function fieldAt(table: HTMLTableElement | null, { row, day }: GridPlace): HTMLElement | null {
  return table?.querySelector<HTMLElement>(`[data-row="${row}"][data-days~="${day}"]`) ?? null;
}

function focusOn(table: HTMLTableElement | null, at: GridPlace): void {
  const field = fieldAt(table, at);
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}

/** Returns the position of a field. For a field of several days, the current day if it is one of them. */
function placeOf(field: HTMLElement, at: GridPlace): GridPlace | null {
  const { row, days } = field.dataset;
  if (row === undefined || days === undefined) return null;
  const of_field = days.split(" ").map((day) => Number.parseInt(day, 10));
  const [first = 0] = of_field;
  return { row: Number.parseInt(row, 10), day: of_field.includes(at.day) ? at.day : first };
}
