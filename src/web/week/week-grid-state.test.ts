/** The state of the week without a browser: the content of cells, the requests to the server, and the effect of its answers. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { CellRights } from "../../domain/work/cell.ts";
import { type Cell, entriesOf, sumOf } from "./week-grid-cell.ts";
import { keptFrom, restored } from "./week-grid-kept.ts";
import {
  cellAt,
  nextSave,
  placeBeside,
  type SentLine,
  sumOfDay,
  unsavedIn,
  type WeekEvent,
  type WeekState,
  weekAfter,
  weekFrom,
} from "./week-grid-state.ts";

const OPEN: CellRights = { change: null, remove: null };
const locked = (
  code: "USER_NOT_ASSIGNED" | "INVOICE_ALREADY_ISSUED",
  is_removable = false,
): CellRights => {
  const lock = { code, starts_on: null, ended_on: null as CalendarDate | null };
  return { change: lock, remove: is_removable ? null : lock };
};

type GivenEntry = readonly [hours: number, note?: string];

/** A line with registrations on some of its days. */
function line(
  line_id: string,
  days: Readonly<Record<number, readonly GivenEntry[]>> = {},
  fields: Partial<SentLine> & { readonly rights?: Readonly<Record<number, CellRights>> } = {},
): SentLine {
  const { rights = {}, ...others } = fields;
  return {
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
    cells: [0, 1, 2, 3, 4, 5, 6].map((day) => ({
      registered: (days[day] ?? []).map(([hours, note = null], at) => ({
        id: `${line_id}-${day}-${at}`,
        hours,
        billable: true,
        note,
        updated_at: "t1",
      })),
      rights: rights[day] ?? OPEN,
    })),
    ...others,
  };
}

const week = (lines: readonly SentLine[], decimal: "," | "." = ","): WeekState =>
  weekFrom(lines, decimal, 0);
const played = (state: WeekState, ...events: readonly (WeekEvent | typeof SENDING)[]): WeekState =>
  events.reduce<WeekState>((now, event) => {
    if (event !== SENDING) return weekAfter(now, event);
    const save = nextSave(now);
    return save === null ? now : weekAfter(now, { kind: "sending", save });
  }, state);
const go = (row: number, day: number): WeekEvent => ({ kind: "go", to: { row, day } });
const type = (text: string): WeekEvent => ({ kind: "type", text });
const LEAVE: WeekEvent = { kind: "leave" };
/** Sends the next save. */
const SENDING = "sending";
const answer = (
  saved: boolean,
  ...hours: readonly (readonly [id: string, hours: number])[]
): WeekEvent => ({
  kind: "done",
  answer: {
    saved,
    registered: hours.map(([id, one]) => ({
      id,
      hours: one,
      billable: true,
      note: null,
      updated_at: "t2",
    })),
  },
});
const at = (state: WeekState, row: number, day: number): Cell =>
  cellAt(state, { row, day }) as Cell;
const hoursAt = (state: WeekState, row: number, day: number): bigint => sumOf(at(state, row, day));

describe("leaving a cell", () => {
  it("queues the typed hours for saving; typing alone does not", () => {
    const typing = played(week([line("a"), line("b")]), type("7,5"));
    expect([hoursAt(typing, 0, 0), nextSave(typing), unsavedIn(typing)]).toEqual([0n, null, 0]);
    const left = played(typing, go(1, 0));
    expect(hoursAt(left, 0, 0)).toBe(750n);
    expect(at(left, 0, 0).typed).toBeNull();
    expect(nextSave(left)).toMatchObject({ place: { row: 0, day: 0 }, entries: [{ hours: 750n }] });
    expect([sumOfDay(left, 0), unsavedIn(left)]).toEqual([750n, 1]);
  });

  it.each<[typed: string, given: readonly GivenEntry[], rights: CellRights, expected: object]>([
    ["seven", [], OPEN, { fault: { kind: "typed", fault: "unreadable" } }],
    ["7,333", [], OPEN, { fault: { kind: "typed", fault: "too_fine" } }],
    ["-1", [], OPEN, { fault: { kind: "typed", fault: "below_zero" } }],
    ["24,01", [], OPEN, { fault: { kind: "too_much", hours: 2401n } }],
    ["2", [[300], [200]], OPEN, { fault: { kind: "below_others", hours: 300n } }],
    ["1", [], locked("INVOICE_ALREADY_ISSUED"), { fault: { kind: "locked" } }],
    ["", [[300]], locked("INVOICE_ALREADY_ISSUED"), { fault: { kind: "locked" } }],
    ["4", [[300]], locked("USER_NOT_ASSIGNED", true), { fault: { kind: "locked" } }],
  ])("keeps the invalid text %j with its fault", (typed, given, rights, expected) => {
    const state = week([line("a", { 0: given }, { rights: { 0: rights } }), line("b")]);
    const left = played(state, type(typed), go(1, 0));
    expect(at(left, 0, 0)).toMatchObject({ typed, ...expected });
    expect([nextSave(left), unsavedIn(left)]).toEqual([null, 1]);
    // Escape discards the text.
    const back = played(left, go(0, 0), { kind: "escape" });
    expect([at(back, 0, 0).typed, at(back, 0, 0).fault, unsavedIn(back)]).toEqual([null, null, 0]);
  });

  it("may remove the hours of a cell that is locked except for removal", () => {
    const rights = { 0: locked("USER_NOT_ASSIGNED", true) };
    const left = played(week([line("a", { 0: [[300]] }, { rights })]), type(""), LEAVE);
    expect(nextSave(left)?.entries).toEqual([]);
  });

  it("queues nothing if the text has the same value", () => {
    const state = week([line("a", { 0: [[750]] })]);
    for (const typed of ["7,5", "7:30", "+0", "=8-0,5"]) {
      expect(nextSave(played(state, type(typed), LEAVE))).toBeNull();
    }
  });

  it("refuses a day with more than 24 hours in all lines", () => {
    const state = week([line("a"), line("b", { 2: [[1800]] })]);
    const left = played(state, go(0, 2), type("7"), LEAVE);
    expect(at(left, 0, 2).fault).toEqual({ kind: "too_much", hours: 2500n });
  });

  it("sets note and billable of the last registration, or of the first new one", () => {
    const state = week([
      line("a", {
        0: [
          [300, "one"],
          [200, "two"],
        ],
      }),
    ]);
    const noted = played(state, { kind: "note", text: " Cart " }, LEAVE);
    expect(entriesOf(at(noted, 0, 0)).map(({ note }) => note)).toEqual(["one", "Cart"]);
    const free = played(noted, { kind: "say", said: { billable: false } });
    expect(entriesOf(at(free, 0, 0)).map(({ billable }) => billable)).toEqual([true, false]);
    const empty = played(state, go(0, 1), { kind: "say", said: { billable: false } });
    expect(nextSave(empty)).toBeNull();
    const filled = played(empty, { kind: "note", text: "New" }, type("1"), LEAVE);
    expect(nextSave(filled)?.entries).toEqual([
      { id: null, hours: 100n, billable: false, note: "New" },
    ]);
  });

  it("is not required for steps of a quarter of an hour, which never go below zero", () => {
    const step = (by: bigint): WeekEvent => ({ kind: "step", at: { row: 0, day: 3 }, by });
    const up = played(week([line("a")]), step(25n), step(25n));
    expect(hoursAt(up, 0, 3)).toBe(50n);
    const down = played(up, step(-25n), step(-25n), step(-25n));
    expect([hoursAt(down, 0, 3), nextSave(down)]).toEqual([0n, null]);
  });
});

describe("the queue of saves", () => {
  const two = () => played(week([line("a"), line("b")]), type("1"), go(1, 0), type("2"), LEAVE);

  it("sends one cell at a time in the order in which the cells were left", () => {
    const sending = played(two(), SENDING);
    expect(nextSave(sending)).toBeNull();
    const next = played(sending, answer(true, ["r1", 100]));
    expect(at(next, 0, 0)).toMatchObject({ wanted: null, known: [{ id: "r1", version: "t2" }] });
    expect(nextSave(next)).toMatchObject({ place: { row: 1, day: 0 } });
    const done = played(next, SENDING, answer(true, ["r2", 200]));
    expect([nextSave(done), unsavedIn(done)]).toEqual([null, 0]);
  });

  it("sends a cell changed meanwhile again, with the id of the created registration", () => {
    const again = played(two(), SENDING, go(0, 0), type("+2"), LEAVE);
    expect(nextSave(again)).toBeNull();
    const next = played(again, answer(true, ["r1", 100]));
    expect(hoursAt(next, 0, 0)).toBe(300n);
    // The cell was left last, so it is saved last.
    expect(nextSave(next)?.place).toEqual({ row: 1, day: 0 });
    const last = played(next, SENDING, answer(true, ["r2", 200]));
    expect(nextSave(last)).toMatchObject({
      place: { row: 0, day: 0 },
      entries: [{ id: "r1", hours: 300n }],
    });
    // The cell in which the user types waits; the others do not.
    const typing = played(two(), go(0, 0), type("9"));
    expect(nextSave(typing)?.place).toEqual({ row: 1, day: 0 });
  });

  it("sends the prepared save, and a later change afterwards", () => {
    const state = played(week([line("a")]), type("1"), LEAVE);
    const save = nextSave(state);
    if (save === null) throw new Error("there is something to send");
    const later = played(state, { kind: "say", said: { billable: false } });
    const done = played(later, { kind: "sending", save }, answer(true, ["r1", 100]));
    expect(nextSave(done)?.entries).toMatchObject([{ id: "r1", hours: 100n, billable: false }]);
  });

  it("repeats a save without an answer before all others", () => {
    const lost = played(two(), SENDING, { kind: "lost" });
    expect([nextSave(lost), unsavedIn(lost), lost.is_lost]).toEqual([null, 2, true]);
    expect(nextSave(played(lost, { kind: "again" }))?.place).toEqual({ row: 0, day: 0 });
  });

  it("keeps a refused change in its cell with the reason", () => {
    const refused = {
      code: "USER_INACTIVE" as const,
      message: "No.",
      field_errors: [],
      details: {},
    };
    const state = played(two(), SENDING, { kind: "refused", refused });
    expect(at(state, 0, 0)).toMatchObject({
      wanted: [{ hours: 100n }],
      fault: { kind: "refused", refusal: { code: "USER_INACTIVE" } },
    });
    expect(nextSave(state)?.place).toEqual({ row: 1, day: 0 });
    const back = played(state, go(0, 0), { kind: "escape" });
    expect(hoursAt(back, 0, 0)).toBe(0n);
    // Typing the same again queues it again.
    const again = played(state, go(0, 0), type("1"), LEAVE);
    expect(again.queue).toContainEqual({ row: 0, day: 0 });
    const full = { ...refused, code: "DAILY_HOURS_EXCEEDED" as const, details: { registered: 24 } };
    const much = played(two(), SENDING, { kind: "refused", refused: full });
    expect(at(much, 0, 0).fault).toEqual({ kind: "too_much", hours: 2500n });
  });

  it("waits for the user's choice if another user has changed the cell", () => {
    const state = played(two(), SENDING, answer(false, ["x", 600]), go(0, 0));
    expect(at(state, 0, 0)).toMatchObject({ wanted: [{ hours: 100n }], remote: [{ hours: 600n }] });
    const remote = played(state, { kind: "choose", whose: "remote" });
    expect(at(remote, 0, 0)).toMatchObject({ wanted: null, remote: null, known: [{ id: "x" }] });
    const mine = played(state, { kind: "choose", whose: "mine" });
    expect(mine.queue).toContainEqual({ row: 0, day: 0 });
    expect(at(mine, 0, 0)).toMatchObject({ wanted: [{ hours: 100n }], known: [{ id: "x" }] });
  });
});

describe("a pasted block", () => {
  const paste = (text: string): WeekEvent => ({
    kind: "paste",
    texts: text.split("\n").map((one) => one.split("\t")),
  });

  it("of three lines by five days fills the cells from the current one, and one undo removes it", () => {
    const lines = [
      line("a", { 1: [[100]] }),
      line("hidden", {}, { is_shown: false }),
      line("b"),
      line("c"),
    ];
    const block = "1\t2\t3\t4\t5\n7,5\t\tx\t7:30\t0\n1,25\t1,25\t1,25\t1,25\t1,25";
    const pasted = played(week(lines), go(0, 1), paste(block));
    const sums = [0, 2, 3].map((row) => [1, 2, 3, 4, 5].map((day) => hoursAt(pasted, row, day)));
    expect(sums).toEqual([
      [100n, 200n, 300n, 400n, 500n],
      [750n, 0n, 0n, 750n, 0n],
      [125n, 125n, 125n, 125n, 125n],
    ]);
    expect(at(pasted, 2, 3)).toMatchObject({ typed: "x", fault: { kind: "typed" } });
    expect(pasted.rows[1]?.cells.every((cell) => sumOf(cell) === 0n)).toBe(true);
    // Content that is unchanged is not stored again.
    expect(pasted.queue).toHaveLength(11);
    const back = played(pasted, { kind: "undo" });
    expect(back.queue).toEqual([]);
    expect([sumOfDay(back, 1), sumOfDay(back, 4)]).toEqual([100n, 0n]);
  });

  it("skips locked cells and ends at the edge of the grid", () => {
    const rights = { 1: locked("INVOICE_ALREADY_ISSUED") };
    const state = week([line("a", {}, { rights })]);
    const pasted = played(state, paste("1\t2\t3\n4\t5\t6"));
    expect([0, 1, 2].map((day) => hoursAt(pasted, 0, day))).toEqual([100n, 0n, 300n]);
    expect(pasted.skipped).toBe(1);
    const wide = played(state, go(0, 6), paste("1\t2"));
    expect(hoursAt(wide, 0, 6)).toBe(100n);
    const row = played(
      state,
      { kind: "go", to: { row: 0, day: 4 }, selects_row: true },
      paste("1\t\t3"),
    );
    expect([0, 2, 4].map((day) => hoursAt(row, 0, day))).toEqual([100n, 300n, 0n]);
  });
});

describe("undo", () => {
  it("reverts one change at a time, with the ids of the stored registrations", () => {
    const state = played(week([line("a", { 0: [[300, "note"]] })]), type(""), LEAVE, SENDING);
    const gone = played(state, answer(true));
    const back = played(gone, { kind: "undo" });
    expect(nextSave(back)?.entries).toMatchObject([{ hours: 300n, note: "note" }]);
    const made = played(back, SENDING, answer(true, ["again", 300]), type("4"), LEAVE);
    expect(nextSave(made)?.entries).toMatchObject([{ id: "again", hours: 400n }]);
    const nothing = played(week([line("a")]), { kind: "undo" });
    expect(nothing.queue).toEqual([]);
  });
});

describe("moving in the grid", () => {
  it("skips hidden lines and stays within the grid", () => {
    const state = week([line("a"), line("b", {}, { is_shown: false }), line("c")]);
    expect(placeBeside(state, 1, 0)).toEqual({ row: 2, day: 0 });
    expect(placeBeside(state, 9, 9)).toEqual({ row: 2, day: 6 });
    expect(placeBeside(state, -1, -1)).toEqual({ row: 0, day: 0 });
  });

  it("shows one hidden line or the lines of last week", () => {
    const hidden = { is_shown: false };
    const state = week([
      line("a"),
      line("b", {}, hidden),
      line("c", {}, { ...hidden, is_of_last_week: true }),
    ]);
    const one = played(state, { kind: "show", line_id: "b" });
    expect([one.rows.map(({ is_shown }) => is_shown), one.at.row]).toEqual([
      [true, true, false],
      1,
    ]);
    const last = played(state, { kind: "show_last_week" });
    expect(last.rows.map(({ is_shown }) => is_shown)).toEqual([true, false, true]);
    expect(played(last, { kind: "show_last_week" })).toBe(last);
  });
});

describe("a reload", () => {
  const lines = [line("a", { 1: [[100]] }), line("b"), line("c", {}, { is_shown: false })];
  const reloaded = (state: WeekState, given = lines): WeekState => {
    const fresh = week(given);
    return played(fresh, ...restored(fresh, keptFrom(state)));
  };

  it("restores nothing if all hours are stored, or from an invalid copy", () => {
    expect(keptFrom(week(lines))).toBeNull();
    expect(restored(week(lines), null)).toEqual([]);
    const broken =
      '[{"line_id":"a","day":0,"typed":null,"noted":null,"wanted":[{"hours":"x"}],"seen":[]}]';
    for (const invalid of ["", "{", "[1]", '{"a":1}', broken]) {
      expect(restored(week(lines), invalid)).toEqual([]);
    }
  });

  it("restores typed, refused and unsaved text", () => {
    const state = played(week(lines), type("x"), go(1, 0), type("7,5"), go(1, 1), {
      kind: "note",
      text: "half a no",
    });
    const again = reloaded(played(state, type("3")));
    expect(at(again, 0, 0)).toMatchObject({ typed: "x", fault: { kind: "typed" } });
    expect(nextSave(again)).toMatchObject({
      place: { row: 1, day: 0 },
      entries: [{ hours: 750n }],
    });
    expect(at(again, 1, 1)).toMatchObject({ typed: "3", noted: "half a no", fault: null });
  });

  it("asks for a choice if another user has changed the cell, and not if the change was stored", () => {
    const state = played(week(lines), go(0, 1), type("2"), LEAVE);
    expect(nextSave(reloaded(state))).toMatchObject({ entries: [{ id: "a-1-0", hours: 200n }] });
    const [, ...others] = lines;
    const stored = reloaded(state, [line("a", { 1: [[200]] }), ...others]);
    expect([nextSave(stored), unsavedIn(stored)]).toEqual([null, 0]);
    const changed = reloaded(state, [line("a", { 1: [[500], [100]] }), ...others]);
    expect(at(changed, 0, 1)).toMatchObject({ wanted: [{ hours: 200n }], remote: [{}, {}] });
    expect(nextSave(changed)).toBeNull();
  });

  it("shows a hidden line with typed text again", () => {
    const state = played(week(lines), { kind: "show", line_id: "c" }, type("1"), LEAVE);
    expect(reloaded(state).rows[2]?.is_shown).toBe(true);
  });
});
