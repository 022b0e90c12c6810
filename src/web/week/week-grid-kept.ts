/** Keeps a part of a week in the browser until it is stored: typed texts and wanted content. Pure. */
import { type CellEntry, isSameCell } from "../../domain/work/cell.ts";
import { type Cell, type KnownEntry, leave, withWanted } from "./week-grid-cell.ts";
import type { GridPlace, WeekEvent, WeekState } from "./week-grid-state.ts";

interface KeptCell {
  readonly line_id: string;
  readonly day: number;
  readonly typed: string | null;
  readonly noted: string | null;
  /** Whether the person left the cell with a text that is not hours. */
  readonly is_left: boolean;
  readonly wanted:
    | readonly {
        readonly id: string | null;
        /** The hours in 1/100 of an hour. */
        readonly hours: string;
        readonly billable: boolean;
        readonly note: string | null;
      }[]
    | null;
  /** The versions of the registrations that the person had seen. */
  readonly seen: readonly string[];
}

/** Returns the content to keep as text; null when everything is stored. */
export function keptFrom({ rows }: WeekState): string | null {
  const kept = rows.flatMap(({ line, cells }) =>
    cells.flatMap(({ typed, noted, fault, wanted, known }, day): KeptCell[] => {
      if (typed === null && noted === null && wanted === null) return [];
      const entries = wanted?.map((one) => ({
        id: one.id,
        hours: `${one.hours}`,
        billable: one.billable,
        note: one.note,
      }));
      const seen = known.map(versionOf);
      const is_left = fault !== null;
      const { line_id } = line;
      return [{ line_id, day, typed, noted, is_left, wanted: entries ?? null, seen }];
    }),
  );
  return kept.length === 0 ? null : JSON.stringify(kept);
}

function versionOf({ id, version }: KnownEntry): string {
  return `${id} ${version}`;
}

/** Returns the events that restore the kept content; none for a foreign text, and none for content that is stored by now. */
export function restored(state: WeekState, text: string | null): readonly WeekEvent[] {
  try {
    return keptIn(text).flatMap((kept) => eventsOf(state, kept));
  } catch {
    return [];
  }
}

function eventsOf(state: WeekState, kept: KeptCell): readonly WeekEvent[] {
  const row = state.rows.findIndex(({ line }) => line.line_id === kept.line_id);
  const cell = state.rows[row]?.cells[kept.day];
  if (cell === undefined) return [];
  const place: GridPlace = { row, day: kept.day };
  const back: WeekEvent = { kind: "restore", place, cell: cellFrom(cell, kept, state) };
  return state.rows[row]?.is_shown ? [back] : [{ kind: "show", line_id: kept.line_id }, back];
}

function cellFrom(cell: Cell, kept: KeptCell, { decimal }: WeekState): Cell {
  const wanted = kept.wanted?.map((one): CellEntry => ({ ...one, hours: BigInt(one.hours) }));
  let after = cell;
  if (wanted !== undefined && !isSameCell(wanted, cell.known)) {
    const is_unchanged = cell.known.map(versionOf).join() === kept.seen.join();
    const again = withWanted(cell, wanted);
    after = is_unchanged ? again : { ...again, remote: cell.known };
  }
  after = { ...after, noted: kept.noted };
  if (kept.typed === null) return after;
  const typed = { ...after, typed: kept.typed };
  return kept.is_left ? leave(typed, 0n, decimal) : typed;
}

function keptIn(text: string | null): readonly KeptCell[] {
  const kept: unknown = JSON.parse(text ?? "[]");
  return Array.isArray(kept) ? (kept as KeptCell[]) : [];
}
