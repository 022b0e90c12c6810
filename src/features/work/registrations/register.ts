/** Registers the hours of a user on a line (spec 6). */

import { notFound } from "../../../domain/base/problem.ts";
import { requireRegistrable, type WorkFacts } from "../../../domain/work/work.ts";
import { defineCreation, type Saved } from "../../../platform/commands/creation.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { presentOn, presentOne } from "./present.ts";
import { getWork, insertWork, type WorkFields } from "./queries.ts";
import { lockLine } from "./read-line.ts";
import { WorkCreate } from "./schemas.ts";
import { lockHolders, targetAt } from "./target.ts";
import { calendarFrom, factsOf, hoursFrom } from "./work-inputs.ts";

/**
 * Registers work on a line. A repeated `external_id` with the same content returns the existing registration. Throws
 * EXTERNAL_ID_CONFLICT, NOT_FOUND (line), VALIDATION_FAILED (user), and the errors of `requireRegistrable`.
 */
export const registerWork = defineCreation({
  name: "register_work",
  input: WorkCreate,
  table: "work_registrations",

  async plan(tx, sent, request_hash) {
    const { line_id, user_id } = sent;
    const ahead = await lockLine(tx, line_id, user_id, sent.date ?? null);
    const calendar = calendarFrom(tx, ahead.configuration);
    const date = sent.date ?? calendar.today;
    const { place, locked } = ahead;
    if (place === undefined) throw notFound("line", line_id);
    const holders = locked?.holders ?? (await lockHolders(tx, [{ line_id, place }]));
    const target = targetAt(holders, place, line_id, date);
    const done = { user_id, date, hours: hoursFrom(sent.hours) };
    const facts: WorkFacts = locked
      ? {
          ...calendar,
          user_is_active: locked.user.active,
          hours_of_day: locked.hours.get(date) ?? 0,
        }
      : await factsOf(tx, done, calendar, null);
    requireRegistrable(target, done, facts);
    const work: WorkFields = {
      id: newId<string>(),
      external_id: sent.external_id ?? null,
      ...target.located,
      ...done,
      billable: sent.billable,
      note: sent.note ?? null,
      status: "open",
    };
    return { work, request_hash, line: locked?.lineOf(target.located) ?? null };
  },

  async commit(tx, plan): Promise<Saved> {
    const row = await insertWork(tx, plan.work, plan.request_hash);
    const document = plan.line ? presentOn(plan.line, row) : await presentOne(tx, row);
    tx.audit("work_registration", plan.work.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: async (tx, id): Promise<Saved> => ({
    created: false,
    document: await presentOne(tx, await getWork(tx, id)),
  }),
});
