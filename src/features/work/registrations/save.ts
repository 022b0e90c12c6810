/** Saves a cell of a person's week: the new entries, in place of those that the caller saw when deciding them. */
import * as z from "zod";
import { groupedBy } from "../../../domain/base/group.ts";
import { type CellEntry, isSameCell } from "../../../domain/work/cell.ts";
import { carried, defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Day, text, Uuid } from "../../../platform/http/schemas.ts";
import { changeWork, removeWork } from "./change.ts";
import type { Registration } from "./present.ts";
import { workOfDays } from "./queries.ts";
import { registerWork } from "./register.ts";
import { WorkCreate } from "./schemas.ts";
import { hoursFrom } from "./work-inputs.ts";

/** The limit of registrations of one line on one date, more than any person makes. */
const MOST_ENTRIES = 100;

export const CellSave = z.object({
  user_id: Uuid,
  line_id: Uuid,
  date: Day,
  /** The registrations that the caller saw in the cell, with their versions. */
  seen: z.array(z.object({ id: Uuid, updated_at: text(40) })).max(MOST_ENTRIES),
  /** The new entries; one without an id, or with that of a deleted registration, is created. */
  entries: z
    .array(
      z.object({
        id: Uuid.nullable(),
        hours: WorkCreate.shape.hours,
        billable: z.boolean(),
        note: text(1000).nullable(),
      }),
    )
    .max(MOST_ENTRIES),
});
type CellSave = z.output<typeof CellSave>;

/** A cell after the call; not `saved` when it was changed in the meantime, and then with the other person's entries. */
export interface SavedCell {
  readonly saved: boolean;
  readonly registered: readonly Registration[];
}

interface SavePlan {
  readonly cell: CellSave;
  readonly current: readonly Registration[];
  readonly outcome: "is_so" | "meanwhile" | "to_do";
}

/**
 * Gives a cell the new entries by registering, changing and deleting work, all or none. A cell that has them is
 * unchanged, so a retry registers nothing twice. Throws the errors of `registerWork`, `changeWork` and `removeWork`.
 */
export const saveCell = defineCommand({
  name: "save_cell",
  access: "write",
  input: CellSave,

  async plan(tx, cell): Promise<SavePlan> {
    const { user_id, line_id, date, seen } = cell;
    // Saves of one cell are serialized, so that a repetition sees the result of the first call.
    tx.lock(
      sql`select pg_advisory_xact_lock(hashtextextended('cell ' || ${tx.caller.account_id}::text || ${user_id}::text || ${line_id}::text || ${date}::text, 2))`,
    );
    const current = await registeredIn(tx, cell);
    const wanted = cell.entries.map(({ hours, ...entry }) => ({
      ...entry,
      hours: BigInt(hoursFrom(hours)),
    }));
    if (isSameCell(current.map(entryOf), wanted)) return { cell, current, outcome: "is_so" };
    const known = new Map(seen.map(({ id, updated_at }) => [id, updated_at]));
    const is_unchanged =
      known.size === current.length &&
      current.every(({ id, updated_at }) => known.get(id) === updated_at);
    return { cell, current, outcome: is_unchanged ? "to_do" : "meanwhile" };
  },

  async commit(tx, { cell, current, outcome }): Promise<SavedCell> {
    if (outcome !== "to_do") return { saved: outcome === "is_so", registered: current };
    const wanted = groupedBy(cell.entries, ({ id }) =>
      current.some((one) => one.id === id) ? id : null,
    );
    for (const { id } of current) if (!wanted.has(id)) await carried(tx, removeWork, { ref: id });
    for (const { id } of current) {
      for (const { id: ref, ...changes } of wanted.get(id) ?? []) {
        await carried(tx, changeWork, { ref: ref ?? id, changes });
      }
    }
    const { user_id, line_id, date } = cell;
    for (const { id: _, ...entry } of wanted.get(null) ?? []) {
      await carried(tx, registerWork, { user_id, line_id, date, ...entry });
    }
    return { saved: true, registered: await registeredIn(tx, cell) };
  },
});

async function registeredIn(
  tx: Tx,
  { user_id, line_id, date }: CellSave,
): Promise<readonly Registration[]> {
  const of_day = await workOfDays(tx, user_id, date, date);
  return of_day.filter((one) => one.line_id === line_id);
}

function entryOf({ id, hours, billable, note }: Registration): CellEntry {
  return { id, hours: BigInt(hours), billable, note };
}
