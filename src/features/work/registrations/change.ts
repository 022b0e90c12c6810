/**
 * Changes, moves and deletes registered work (spec 6.3). All rules apply to the result, and the registration before the change
 * must also be open to changes. Invoiced work can only be moved, after a full credit.
 */

import * as z from "zod";
import { notFound } from "../../../domain/base/problem.ts";
import {
  requireChangeable,
  requireRegistrable,
  sourceState,
  type WorkFacts,
} from "../../../domain/work/work.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref, RefParams } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { findPlace, type LinePlace, placeFrom } from "./locate-line.ts";
import type { Registration } from "./present.ts";
import { presentOne } from "./present.ts";
import { getWork, getWorkInTurn, isFullyCredited, updateWork, type WorkFields } from "./queries.ts";
import { WorkUpdate } from "./schemas.ts";
import { type Holders, lockHolders, stateAt, targetAt } from "./target.ts";
import { calendarOf, factsOf, hoursFrom } from "./work-inputs.ts";

interface ChangePlan {
  readonly before: Registration;
  readonly after: WorkFields;
  readonly is_changed: boolean;
}

/**
 * Changes the given fields; another `line_id` moves the work. Throws NOT_FOUND for the registration
 * or the line, VALIDATION_FAILED for the user, and what `requireChangeable` and `requireRegistrable` throw.
 */
export const changeWork = defineCommand({
  name: "change_work",
  access: "write",
  input: z.object({ ref: Ref, changes: WorkUpdate }),

  async plan(tx, { ref, changes }): Promise<ChangePlan> {
    const located = await getWorkInTurn(tx, ref);
    const calendar = await calendarOf(tx);
    const date = changes.date ?? located.date;
    const line_id = changes.line_id ?? located.line_id;
    const source = placeFrom(located);
    const place = line_id === located.line_id ? source : await findPlace(tx, line_id);
    if (place === undefined) throw notFound("line", line_id);
    const holders = await lockHolders(tx, [
      { line_id: located.line_id, place: source },
      { line_id, place },
    ]);
    // Whether the work has been invoiced or dropped is only certain under these locks.
    const before = await getWork(tx, located.id);
    const target = targetAt(holders, place, line_id, date);
    const is_move = target.located.line_id !== before.line_id;
    const edited = {
      user_id: changes.user_id ?? before.user_id,
      date,
      hours: changes.hours === undefined ? before.hours : hoursFrom(changes.hours),
      billable: changes.billable ?? before.billable,
      note: changes.note === undefined ? before.note : changes.note,
    };
    const is_edit = (Object.keys(edited) as (keyof typeof edited)[]).some(
      (field) => edited[field] !== before[field],
    );
    const facts = await factsOf(tx, edited, calendar, before.id);
    await requireFree(tx, holders, source, before, { is_move, is_edit }, facts);
    requireRegistrable(target, edited, facts);
    const { created_at: _, updated_at: __, ...fields } = before;
    const moved = is_move ? { ...target.located, status: "open" as const } : {};
    return { before, after: { ...fields, ...edited, ...moved }, is_changed: is_move || is_edit };
  },

  async commit(tx, { before, after, is_changed }): Promise<JsonText> {
    const present = await presentOne(tx, before);
    if (!is_changed) return present;
    const document = await presentOne(tx, await updateWork(tx, after));
    tx.audit(
      "work_registration",
      before.id,
      after.line_id === before.line_id ? "updated" : "moved",
      { before: present, after: document },
    );
    return document;
  },
});

/** Deletes registered work. Throws NOT_FOUND and what `requireChangeable` throws. */
export const removeWork = defineCommand({
  name: "remove_work",
  access: "write",
  input: RefParams,

  async plan(tx, { ref }): Promise<Registration> {
    const located = await getWorkInTurn(tx, ref);
    const source = placeFrom(located);
    const holders = await lockHolders(tx, [{ line_id: located.line_id, place: source }]);
    const before = await getWork(tx, located.id);
    const change = { is_move: false, is_edit: true };
    await requireFree(tx, holders, source, before, change, await calendarOf(tx));
    return before;
  },

  async commit(tx, before): Promise<void> {
    const present = await presentOne(tx, before);
    tx.write(
      sql`delete from work_registrations where account_id = ${tx.caller.account_id} and id = ${before.id}`,
    );
    tx.audit("work_registration", before.id, "deleted", { before: present, after: null });
  },
});

/** Requires that a registration may change, by its own state and the state of the document or period with its line. */
async function requireFree(
  cx: Reader,
  holders: Holders,
  source: LinePlace,
  before: Registration,
  change: { readonly is_move: boolean; readonly is_edit: boolean },
  facts: Pick<WorkFacts, "actor" | "work_lock_date">,
): Promise<void> {
  const { invoice_id, status } = before;
  const is_invoiced = status === "invoiced" && invoice_id !== null;
  const is_fully_credited = is_invoiced && (await isFullyCredited(cx, invoice_id));
  const state = sourceState(status, stateAt(holders, source));
  requireChangeable(state, before, { ...change, is_fully_credited }, facts);
}
