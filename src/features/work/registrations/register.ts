/** Registers the hours of a user on a line (spec 6). */

import { notFound } from "../../../domain/base/problem.ts";
import { requireRegistrable } from "../../../domain/work/work.ts";
import { defineCreation, type Saved } from "../../../platform/commands/creation.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { findPlace } from "./locate-line.ts";
import { presentOne } from "./present.ts";
import { getWork, insertWork, type WorkFields } from "./queries.ts";
import { WorkCreate } from "./schemas.ts";
import { lockHolders, targetAt } from "./target.ts";
import { calendarOf, factsOf, hoursFrom } from "./work-inputs.ts";

/**
 * Registers work on a line. A repeated `external_id` with the same content returns the existing registration. Throws
 * EXTERNAL_ID_CONFLICT, NOT_FOUND (line), VALIDATION_FAILED (user), and the errors of `requireRegistrable`.
 */
export const registerWork = defineCreation({
  name: "register_work",
  input: WorkCreate,
  table: "work_registrations",

  async plan(tx, sent, request_hash) {
    const calendar = await calendarOf(tx);
    const date = sent.date ?? calendar.today;
    const place = await findPlace(tx, sent.line_id);
    if (place === undefined) throw notFound("line", sent.line_id);
    const holders = await lockHolders(tx, [{ line_id: sent.line_id, place }]);
    const target = targetAt(holders, place, sent.line_id, date);
    const done = { user_id: sent.user_id, date, hours: hoursFrom(sent.hours) };
    requireRegistrable(target, done, await factsOf(tx, done, calendar, null));
    const work: WorkFields = {
      id: newId<string>(),
      external_id: sent.external_id ?? null,
      ...target.located,
      ...done,
      billable: sent.billable,
      note: sent.note ?? null,
      status: "open",
    };
    return { work, request_hash };
  },

  async commit(tx, plan): Promise<Saved> {
    const document = await presentOne(tx, await insertWork(tx, plan.work, plan.request_hash));
    tx.audit("work_registration", plan.work.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: async (tx, id): Promise<Saved> => ({
    created: false,
    document: await presentOne(tx, await getWork(tx, id)),
  }),
});
