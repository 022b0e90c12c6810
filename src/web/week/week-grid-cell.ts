/** One cell of the week in the browser: its stored, wanted and typed content, and its fault. Pure. */
import {
  type CellEntry,
  type CellLock,
  type CellRights,
  cellWithSum,
  isSameCell,
  sumOfCell,
} from "../../domain/work/cell.ts";
import { type DecimalSign, type HoursFault, typedHours } from "../../domain/work/typed-hours.ts";
import { MOST_HOURS_OF_A_DAY } from "../../domain/work/work.ts";
import type { Refusal } from "../words/refusal.ts";

/** A registration as the server sent it; `version` is the time of its last change. */
export interface KnownEntry extends CellEntry {
  readonly id: string;
  readonly version: string;
}

/** A registration as it is sent over the network. */
export interface SentEntry {
  readonly id: string;
  /** The hours in 1/100 of an hour. */
  readonly hours: number;
  readonly billable: boolean;
  readonly note: string | null;
  readonly updated_at: string;
}

export type CellFault =
  | { readonly kind: "typed"; readonly fault: HoursFault }
  /** The hours of the other registrations in the cell, or of the whole day including this. */
  | { readonly kind: "below_others" | "too_much"; readonly hours: bigint }
  | { readonly kind: "locked"; readonly lock: CellLock }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export interface Cell {
  readonly known: readonly KnownEntry[];
  readonly rights: CellRights;
  /** The content that the person wants and that is not known to be stored yet. It stays while it is refused. */
  readonly wanted: readonly CellEntry[] | null;
  /** The content of a save without a response yet. Until the response arrives, `known` may differ from the stored content. */
  readonly sent: readonly CellEntry[] | null;
  /** The text of the field: while it is typed, or after the field was left with a text that is not hours. */
  readonly typed: string | null;
  readonly fault: CellFault | null;
  /** The note while it is typed. */
  readonly noted: string | null;
  /** The registrations that another person has made of the cell meanwhile. */
  readonly remote: readonly KnownEntry[] | null;
  /** Billable and note for the first registration of an empty cell. */
  readonly blank: Pick<CellEntry, "billable" | "note">;
}

const BLANK = { billable: true, note: null };

export function cellFrom(registered: readonly SentEntry[], rights: CellRights): Cell {
  return {
    known: registered.map(knownFrom),
    rights,
    wanted: null,
    sent: null,
    typed: null,
    fault: null,
    noted: null,
    remote: null,
    blank: BLANK,
  };
}

export function knownFrom({ hours, updated_at: version, ...entry }: SentEntry): KnownEntry {
  return { ...entry, hours: BigInt(hours), version };
}

/** Returns the content of the cell as the person wants it. */
export function entriesOf({ wanted, known }: Cell): readonly CellEntry[] {
  return wanted ?? known;
}

export function sumOf(cell: Cell): bigint {
  return sumOfCell(entriesOf(cell));
}

/** Returns the reason why the cell cannot be edited; null when it can be. */
export function lockOf({ rights, known }: Cell): CellLock | null {
  if (rights.change === null) return null;
  return known.length > 0 && rights.remove === null ? null : rights.change;
}

/** Whether the cell waits to be stored. */
export function isToSave({ wanted, fault, remote, typed, noted }: Cell): boolean {
  return wanted !== null && fault === null && remote === null && typed === null && noted === null;
}

/**
 * Returns the cell after the person left it: the typed text becomes the wanted content, or stays with its fault. `others` is the
 * sum of the person's other hours on the day.
 */
export function leave(with_note: Cell, others: bigint, decimal: DecimalSign): Cell {
  const cell = leaveNote(with_note);
  if (cell.typed === null) return cell;
  const entries = entriesOf(cell);
  const sum = sumOfCell(entries);
  const read = typedHours(cell.typed, sum, decimal);
  const wrong = (fault: CellFault): Cell => ({ ...cell, fault });
  if (typeof read === "string") return wrong({ kind: "typed", fault: read });
  if (read === sum) return { ...cell, typed: null, fault: null };
  const lock = read === 0n ? cell.rights.remove : cell.rights.change;
  if (lock !== null) return wrong({ kind: "locked", lock });
  if (others + read > BigInt(MOST_HOURS_OF_A_DAY)) {
    return wrong({ kind: "too_much", hours: others + read });
  }
  const after = cellWithSum(entries, read, cell.blank);
  if (after === "below_others") {
    return wrong({ kind: "below_others", hours: sumOfCell(entries.slice(0, -1)) });
  }
  return withWanted({ ...cell, blank: BLANK }, after);
}

function leaveNote(cell: Cell): Cell {
  if (cell.noted === null) return cell;
  const note = cell.noted.trim() || null;
  return saying({ ...cell, noted: null }, { note });
}

/** Returns the note of the cell. */
export function noteOf(cell: Cell): string {
  return cell.noted ?? saidOf(cell).note ?? "";
}

/** Returns billable and note of the last registration, or of the first one in an empty cell. */
export function saidOf(cell: Cell): Cell["blank"] {
  return entriesOf(cell).at(-1) ?? cell.blank;
}

/** Returns the cell with a content that is to be saved. Nothing is to be saved when this content is stored already and no save is
 * under way. */
export function withWanted(cell: Cell, entries: readonly CellEntry[]): Cell {
  const isKnown = (one: CellEntry, at: number): boolean =>
    one.id === cell.known[at]?.id && isSameCell([one], cell.known.slice(at, at + 1));
  const is_so = entries.length === cell.known.length && entries.every(isKnown);
  const is_settled = is_so && cell.sent === null;
  return { ...cell, typed: null, fault: null, remote: null, wanted: is_settled ? null : entries };
}

/** Sets note and billable of the last registration; an empty cell keeps them for its first one. */
export function saying(cell: Cell, said: Partial<Cell["blank"]>): Cell {
  const entries = entriesOf(cell);
  const last = entries.at(-1);
  if (last === undefined) return { ...cell, blank: { ...cell.blank, ...said } };
  const { typed } = cell;
  if (isSameCell([last], [{ ...last, ...said }])) return cell;
  return { ...withWanted(cell, [...entries.slice(0, -1), { ...last, ...said }]), typed };
}

/** Discards the typed content that is not stored. */
export function takenBack(cell: Cell): Cell {
  const is_clean = cell.typed === null && cell.noted === null;
  if (is_clean && cell.fault === null && cell.remote === null) return cell;
  const was_refused = cell.fault !== null || cell.remote !== null;
  return {
    ...cell,
    typed: null,
    noted: null,
    fault: null,
    known: cell.remote ?? cell.known,
    remote: null,
    wanted: was_refused && cell.typed === null ? null : cell.wanted,
  };
}

/**
 * Returns the cell after a response with its stored content; `sent` is the content of the save. The content that the person has
 * wanted since then is still wanted, with the ids of the registrations that were made.
 */
export function savedAs(
  cell: Cell,
  sent: readonly CellEntry[],
  known: readonly KnownEntry[],
): Cell {
  const after = { ...cell, known, sent: null };
  if (cell.wanted === null || cell.wanted === sent) return { ...after, wanted: null };
  return stillWanted(after, renamed(cell.wanted, sent, known));
}

/** Returns the cell after its save was refused. The content that the person has wanted since then is sent next. */
export function refusedAs(cell: Cell, sent: readonly CellEntry[], fault: CellFault): Cell {
  const after = { ...cell, sent: null };
  if (cell.wanted === null) return after;
  return cell.wanted === sent ? { ...after, fault } : stillWanted(after, cell.wanted);
}

/** Keeps a text that is being typed, with its fault. */
function stillWanted({ typed, fault, ...cell }: Cell, entries: readonly CellEntry[]): Cell {
  const after = withWanted({ ...cell, typed: null, fault: null }, entries);
  return typed === null ? after : { ...after, typed, fault };
}

/** Returns entries with their new ids. Entries without an id, or with a deleted one, were created in save order. */
export function renamed(
  entries: readonly CellEntry[],
  sent: readonly CellEntry[],
  known: readonly KnownEntry[],
): readonly CellEntry[] {
  const is_sent = new Set(sent.map(({ id }) => id));
  const is_known = new Set<string | null>(known.map(({ id }) => id));
  const made = known.filter(({ id }) => !is_sent.has(id));
  const asked = sent.filter(({ id }) => !is_known.has(id));
  const names = new Map(asked.map(({ id }, at) => [id, made[at]?.id ?? id]));
  return entries.map((one) => ({ ...one, id: names.get(one.id) ?? one.id }));
}
