/** How a change of a cell's sum changes its registrations, and which changes of a cell are allowed. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import type { Problem } from "../base/problem.ts";
import {
  type CellEntry,
  type CellRights,
  cellWithSum,
  isSameCell,
  rightsOfCell,
  sumOfCell,
} from "./cell.ts";
import {
  type HolderState,
  requireChangeable,
  requireRegistrable,
  sourceState,
  type WorkActor,
  type WorkState,
  type WorkTarget,
} from "./work.ts";

const day = (text: string) => text as CalendarDate;
const entry = (hours: bigint, fields: Partial<CellEntry> = {}): CellEntry => ({
  id: `r${hours}`,
  hours,
  billable: true,
  note: null,
  ...fields,
});
const BLANK = { billable: false, note: "first" };

describe("the sum of a cell becomes", () => {
  const two = [entry(300n), entry(200n, { note: "second", billable: false })];

  it.each<[string, readonly CellEntry[], bigint, readonly CellEntry[] | "below_others"]>([
    ["something in an empty one", [], 750n, [{ id: null, hours: 750n, ...BLANK }]],
    ["nothing in an empty one", [], 0n, []],
    ["another", [entry(300n)], 750n, [entry(750n, { id: "r300" })]],
    ["the same", two, 500n, two],
    ["nothing", two, 0n, []],
    [
      "more: the last one takes it",
      two,
      600n,
      [two[0] as CellEntry, { ...two[1], hours: 300n } as CellEntry],
    ],
    [
      "less: the last one loses it",
      two,
      400n,
      [two[0] as CellEntry, { ...two[1], hours: 100n } as CellEntry],
    ],
    ["the sum of the others: the last one is removed", two, 300n, [two[0] as CellEntry]],
    ["less than the sum of the others", two, 299n, "below_others"],
  ])("%s", (_, entries, sum, expected) => {
    const after = cellWithSum(entries, sum, BLANK);
    expect(after).toEqual(expected);
    if (after !== "below_others") expect(sumOfCell(after)).toBe(sum);
  });

  it("two cells are the same by content, whichever registrations contain it", () => {
    expect(isSameCell([entry(1n)], [entry(1n, { id: null })])).toBe(true);
    for (const other of [{ hours: 2n }, { note: "x" }, { billable: false }]) {
      expect(isSameCell([entry(1n)], [entry(1n, other)])).toBe(false);
    }
    expect(isSameCell([entry(1n)], [])).toBe(false);
    expect(isSameCell([], [entry(1n)])).toBe(false);
    expect(isSameCell([entry(1n), entry(2n)], [entry(2n), entry(1n)])).toBe(true);
    expect(isSameCell([entry(1n), entry(1n)], [entry(1n)])).toBe(false);
  });
});

const march: WorkTarget = {
  state: "open",
  assignees: [],
  period: {
    from: day("2025-03-01"),
    to: day("2025-03-31"),
    start_date: day("2025-01-01"),
    containing: { key: "2025-02", is_open: true },
  },
};
const facts = {
  actor: null as WorkActor,
  today: day("2025-04-10"),
  work_lock_date: null,
  user_is_active: true,
};
const standard = (user_id: string): WorkActor => ({ role: "standard", user_id });

describe("the lock of a cell", () => {
  const lock = (
    target: WorkTarget | null,
    date: string,
    statuses: readonly WorkState[] = [],
    known: Partial<typeof facts> & { readonly work_lock_date?: CalendarDate | null } = {},
  ): CellRights =>
    rightsOfCell(target, target?.state ?? "dropped", { user_id: "bo", date: day(date) }, statuses, {
      ...facts,
      ...known,
    });
  const open = { change: null, remove: null };
  const because = (code: string, days: object = {}) => ({
    code,
    starts_on: null,
    ended_on: null,
    ...days,
  });

  it("is absent where work is accepted", () => {
    expect(lock(march, "2025-03-10")).toEqual(open);
    expect(lock(march, "2025-03-10", ["open", "open"])).toEqual(open);
  });

  it("applies before the line accepts work, and afterwards", () => {
    expect(lock(march, "2025-02-28").change).toEqual(
      because("WORK_DATE_OUTSIDE_PERIOD", { starts_on: "2025-03-01" }),
    );
    expect(lock(march, "2025-04-01").change).toEqual(
      because("WORK_DATE_OUTSIDE_PERIOD", { ended_on: "2025-03-31" }),
    );
    expect(lock({ ...march, period: "none" }, "2025-03-10").change).toEqual(
      because("WORK_DATE_OUTSIDE_PERIOD"),
    );
  });

  it("prevents changes, while existing work may be deleted", () => {
    const of_others = { ...march, assignees: ["eva"] };
    expect(lock(of_others, "2025-03-10", ["open"], { actor: standard("bo") })).toEqual({
      change: because("USER_NOT_ASSIGNED"),
      remove: null,
    });
    expect(lock(march, "2025-03-10", ["open"], { user_is_active: false })).toEqual({
      change: because("USER_INACTIVE"),
      remove: null,
    });
  });

  it("prevents changes and deletions where the work is invoiced or before the lock date", () => {
    const issued = because("INVOICE_ALREADY_ISSUED");
    expect(lock({ ...march, state: "issued" }, "2025-03-10", ["invoiced"])).toEqual({
      change: issued,
      remove: issued,
    });
    const locked = because("WORK_PERIOD_LOCKED");
    const known = { actor: standard("bo"), work_lock_date: day("2025-03-31") };
    expect(lock(march, "2025-03-10", ["open"], known as never)).toEqual({
      change: locked,
      remove: locked,
    });
  });

  it("applies where the line is gone", () => {
    expect(lock(null, "2025-03-10", ["dropped"])).toEqual({
      change: because("NOT_FOUND"),
      remove: because("OCCURRENCE_DROPPED"),
    });
  });
});

describe("every cell", () => {
  const states: HolderState[] = [
    "open",
    "not_active",
    "dropped",
    "skipped",
    "being_issued",
    "issued",
  ];
  const dates = ["2025-02-28", "2025-03-01", "2025-03-31", "2025-04-01", "2025-04-11"];
  const actors = [
    null,
    standard("bo"),
    standard("eva"),
    { role: "admin", user_id: "ann" } as const,
  ];
  const cells = states.flatMap((state) =>
    dates.flatMap((date) =>
      actors.flatMap((actor) =>
        [[], ["bo"], ["eva"]].flatMap((assignees) =>
          [null, "2025-03-15"].flatMap((lock_date) =>
            [true, false].flatMap((user_is_active) =>
              [march.period, null].flatMap((period) =>
                ([undefined, "open", "invoiced", "dropped"] as const).map((status) => ({
                  target: { state, assignees, period },
                  work: { user_id: "bo", date: day(date), hours: 1 },
                  status,
                  facts: {
                    actor,
                    today: day("2025-04-10"),
                    work_lock_date: lock_date as CalendarDate | null,
                    user_is_active,
                    hours_of_day: 0,
                  },
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  );
  const codeOf = (check: () => void): string | null => {
    try {
      check();
      return null;
    } catch (error) {
      return (error as Problem).code;
    }
  };

  it("has exactly the rights on the page that the rules of the commands give", () => {
    expect(cells.length).toBeGreaterThan(5000);
    for (const { target, work, status, facts: known } of cells) {
      const rights = rightsOfCell(target, target.state, work, status ? [status] : [], known);
      const edit = { is_move: false, is_edit: true, is_fully_credited: false };
      const free = () => {
        if (status === undefined) return;
        requireChangeable(sourceState(status, target.state), work, edit, known);
      };
      expect(rights.remove?.code ?? null).toBe(codeOf(free));
      expect(rights.change?.code ?? null).toBe(
        codeOf(() => {
          free();
          requireRegistrable(target, work, known);
        }),
      );
    }
  });
});
