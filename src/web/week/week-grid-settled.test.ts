/**
 * In the end the grid shows the stored hours, however a user types, undoes and steps while saves are in progress, lost or
 * late. The server in this test answers like `save_cell`: it saves a cell that is unchanged since it was shown,
 * and reports one that was changed meanwhile.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isSameCell } from "../../domain/work/cell.ts";
import { type Cell, entriesOf, type SentEntry, sumOf } from "./week-grid-cell.ts";
import {
  cellAt,
  nextSave,
  type SavedAnswer,
  type WeekEvent,
  type WeekState,
  weekAfter,
  weekFrom,
} from "./week-grid-state.ts";

const LINES = ["a", "b"].map((line_id) => ({
  line_id,
  customer: "Acme",
  name: line_id,
  about: "",
  rate: null,
  discount: 0,
  currency: "DKK",
  budget: null,
  issued: null,
  people: "",
  is_shown: true,
  is_of_last_week: false,
  cells: Array.from({ length: 7 }, () => ({})),
}));

/** A week in a browser, and its stored registrations. */
class Week {
  state: WeekState = weekFrom(LINES, ".", 0);
  readonly stored = new Map<number, readonly SentEntry[]>();
  #made = 0;
  #seen: Cell["known"] = [];
  #answer: SavedAnswer | null = null;

  apply(event: WeekEvent): void {
    this.state = weekAfter(this.state, event);
  }

  send(): void {
    const save = nextSave(this.state);
    if (save === null) return;
    this.#seen = cellAt(this.state, save.place)?.known ?? [];
    this.apply({ kind: "sending", save });
  }

  /** The server executes the request once. */
  arrive(): void {
    const { sending } = this.state;
    if (sending === null || this.#answer !== null) return;
    const { place, entries } = sending;
    const current = this.registered(place.row);
    const asked = entries.map(({ id, hours, billable, note }) => ({
      id: current.some((one) => one.id === id) ? id : null,
      hours: Number(hours),
      billable,
      note,
    }));
    const entriesNow = current.map((one) => ({ ...one, hours: BigInt(one.hours) }));
    const is_so = isSameCell(entriesNow, entries);
    const versions = this.#seen.map(({ id, version }) => `${id} ${version}`);
    const is_unchanged =
      current.map(({ id, updated_at }) => `${id} ${updated_at}`).join() === versions.join();
    if (!is_so && is_unchanged)
      this.stored.set(
        place.row,
        asked.map((one) => this.#kept(one)),
      );
    this.#answer = { saved: is_so || is_unchanged, registered: this.registered(place.row) };
  }

  answer(): void {
    this.arrive();
    if (this.#answer === null) return;
    this.apply({ kind: "done", answer: this.#answer });
    this.#answer = null;
  }

  lose(): void {
    if (this.state.sending === null) return;
    this.#answer = null;
    this.apply({ kind: "lost" });
  }

  registered(row: number): readonly SentEntry[] {
    return this.stored.get(row) ?? [];
  }

  #kept(one: Omit<SentEntry, "id" | "updated_at"> & { readonly id: string | null }): SentEntry {
    this.#made += 1;
    return { ...one, id: one.id ?? `r${this.#made}`, updated_at: `t${this.#made}` };
  }

  cell(row: number): Cell {
    return cellAt(this.state, { row, day: 0 }) as Cell;
  }
}

const row = fc.constantFrom(0, 1);
const moves = fc.oneof(
  fc.record({ move: fc.constant("step" as const), row, by: fc.constantFrom(-25n, 25n) }),
  fc.record({
    move: fc.constant("type" as const),
    row,
    text: fc.constantFrom("", "1", "2", "+0.5"),
  }),
  fc.record({
    move: fc.constantFrom("leave", "undo", "free", "send", "arrive", "answer", "lose"),
  }),
);

function make(week: Week, one: typeof moves extends fc.Arbitrary<infer Move> ? Move : never): void {
  const { at } = week.state;
  if ("by" in one) week.apply({ kind: "step", at: { row: one.row, day: 0 }, by: one.by });
  else if ("text" in one) {
    week.apply({ kind: "go", to: { row: one.row, day: 0 } });
    week.apply({ kind: "type", text: one.text });
  } else if (one.move === "undo") {
    // While the user types in a cell, the undo keys belong to the field.
    if (week.cell(at.row).typed === null) week.apply({ kind: "undo" });
  } else if (one.move === "leave") week.apply({ kind: "leave" });
  else if (one.move === "free") week.apply({ kind: "say", said: { billable: false } });
  else if (one.move === "send") {
    week.apply({ kind: "again" });
    week.send();
  } else week[one.move]();
}

/** Runs until no save waits; the user keeps their own text in conflicts. */
function settle(week: Week): void {
  week.apply({ kind: "leave" });
  for (let turn = 0; turn < 20; turn += 1) {
    week.apply({ kind: "again" });
    week.answer();
    for (const at of [0, 1]) {
      if (week.cell(at).remote === null) continue;
      week.apply({ kind: "go", to: { row: at, day: 0 } });
      week.apply({ kind: "choose", whose: "mine" });
    }
    week.send();
  }
}

it("a week shows the stored hours after all saves, in any order of events", () => {
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 25 }), (all) => {
      const week = new Week();
      for (const one of all) make(week, one);
      week.apply({ kind: "leave" });
      const shown = [0, 1].map((at) => entriesOf(week.cell(at)));
      settle(week);
      for (const at of [0, 1]) {
        const { wanted, sent, typed, fault } = week.cell(at);
        expect({ wanted, sent, typed, fault }).toEqual({
          wanted: null,
          sent: null,
          typed: null,
          fault: null,
        });
        const stored = week.registered(at).map((one) => ({ ...one, hours: BigInt(one.hours) }));
        expect(isSameCell(stored, shown[at] ?? [])).toBe(true);
        expect(sumOf(week.cell(at))).toBe(stored.reduce((sum, { hours }) => sum + hours, 0n));
      }
    }),
    { numRuns: 1000 },
  );
});
